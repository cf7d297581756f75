package sql

// parseDrop parses DROP, DETACH and TRUNCATE.
func (p *parser) parseDrop() Statement {
	d := &Drop{Position: Position(p.tok.pos)}
	switch {
	case p.isWord("DETACH"):
		d.Kind = DropDetach
	case p.isWord("TRUNCATE"):
		d.Kind = DropTruncate
	}
	p.advance()
	if d.Kind == DropTruncate && (p.acceptWords("ALL", "TABLES", "FROM") || p.acceptWords("TABLES", "FROM")) {
		d.AllTables = true
		d.IfExists = p.acceptIfExists()
		d.Names = []TableName{p.parseDatabaseName()}
		d.Like = p.parseLike()
		d.Cluster = p.parseCluster()
		p.parseDropTail(d)
		return d
	}
	if d.Kind != DropTruncate || p.isWords("TEMPORARY", "TABLE") {
		d.Temporary = p.acceptWord("TEMPORARY")
	}
	if !p.parseDropObject(d) {
		if d.Kind != DropDrop {
			p.unexpected("TABLE")
			return d
		}
		for _, object := range accessObjects {
			if p.isWord(object) && p.peek().kind != tokEnd {
				g := p.parseGeneric("DROP " + object).(*GenericStatement)
				if p.err == nil {
					g.Text = p.lex.text[d.Position:p.prevEnd]
				}
				g.Position = d.Position
				return g
			}
		}
		for _, word := range []string{"DICTIONARY", "VIEW", "DATABASE", "FUNCTION"} {
			p.note(word)
		}
		p.unexpected("TABLE")
		return d
	}
	d.IfExists = p.acceptIfExists()
	d.IfEmpty = p.acceptWords("IF", "EMPTY")
	for p.err == nil {
		switch d.Object {
		case ObjectDatabase:
			d.Names = append(d.Names, p.parseDatabaseName())
		case ObjectFunction:
			d.Names = append(d.Names, TableName{Position: Position(p.tok.pos), Table: p.parseName("identifier")})
		default:
			d.Names = append(d.Names, p.parseTableName())
		}
		if d.Object == ObjectDatabase || d.Object == ObjectFunction || !p.accept(tokComma) {
			break
		}
	}
	d.Cluster = p.parseCluster()
	p.parseDropTail(d)
	return d
}

// parseDropObject parses the kind of thing that is dropped; TRUNCATE goes without it.
func (p *parser) parseDropObject(d *Drop) bool {
	switch {
	case p.acceptWord("TABLE"):
		d.Object = ObjectTable
	case p.acceptWord("DICTIONARY"):
		d.Object = ObjectDictionary
	case p.acceptWord("VIEW"):
		d.Object = ObjectView
	case p.acceptWord("DATABASE"):
		d.Object = ObjectDatabase
	case d.Kind == DropDrop && p.acceptWord("FUNCTION"):
		d.Object = ObjectFunction
	default:
		return d.Kind == DropTruncate && p.err == nil && (p.is(tokWord) || p.is(tokQuotedIdent) || p.is(tokLCurly))
	}
	return true
}

func (p *parser) parseDropTail(d *Drop) {
	for p.err == nil {
		switch {
		case !d.Permanently && p.acceptWord("PERMANENTLY"):
			d.Permanently = true
		case !d.Sync && (p.acceptWord("SYNC") || p.acceptWords("NO", "DELAY")):
			d.Sync = true
		case d.Settings == nil && p.acceptSettings():
			d.Settings = p.parseSettings()
		default:
			return
		}
	}
}

// parseRename parses RENAME and EXCHANGE.
func (p *parser) parseRename() Statement {
	r := &Rename{Position: Position(p.tok.pos), Exchange: p.isWord("EXCHANGE")}
	p.advance()
	separator := "TO"
	if r.Exchange {
		separator = "AND"
		switch {
		case p.acceptWord("TABLES"):
			r.Object = ObjectTable
		case p.acceptWord("DICTIONARIES"):
			r.Object = ObjectDictionary
		default:
			p.note("DICTIONARIES")
			p.unexpected("TABLES")
		}
	} else {
		switch {
		case p.acceptWord("TABLE"):
			r.Object = ObjectTable
		case p.acceptWord("DICTIONARY"):
			r.Object = ObjectDictionary
		case p.acceptWord("DATABASE"):
			r.Object = ObjectDatabase
		}
		r.IfExists = p.acceptIfExists()
	}
	name := p.parseTableName
	if r.Object == ObjectDatabase {
		name = p.parseDatabaseName
	}
	for p.err == nil {
		pair := RenamePair{From: name()}
		p.expectWord(separator)
		pair.To = name()
		r.Pairs = append(r.Pairs, pair)
		if !p.accept(tokComma) {
			break
		}
	}
	r.Cluster = p.parseCluster()
	return r
}
