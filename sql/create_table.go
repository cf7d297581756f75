package sql

// parseCreateTable parses CREATE TABLE behind those words.
func (p *parser) parseCreateTable(t *CreateTable) Statement {
	t.IfNotExists = p.acceptIfNotExists()
	t.Name = p.parseTableName()
	t.UUID = p.parseUUID()
	t.Cluster = p.parseCluster()
	if p.is(tokLRound) && !p.queryFollows(p.peek()) {
		p.parseColumnList(t)
	}
	t.Engine = p.parseStorage()
	if p.acceptWords("EMPTY", "AS") {
		t.Empty = true
		p.parseCreateAs(t)
	} else if p.acceptWords("CLONE", "AS") {
		t.Clone = true
		p.parseCreateAs(t)
	} else if p.acceptWord("AS") {
		p.parseCreateAs(t)
	}
	if t.Engine == nil {
		t.Engine = p.parseStorage()
	}
	if comment, ok := p.acceptComment(); ok {
		t.Comment, t.HasComment = comment, true
	}
	if t.AsSelect == nil && p.acceptWord("AS") {
		p.parseCreateAs(t)
	}
	p.parseOutput(&t.Output)
	if p.err == nil && t.Attach && !t.HasColumns && t.Engine == nil && t.AsTable == nil && t.AsFunc == nil && t.AsSelect == nil {
		return &Attach{Position: t.Position, Object: ObjectTable, IfNotExists: t.IfNotExists, Name: t.Name, Cluster: t.Cluster}
	}
	return t
}

// parseCreateAs parses what follows AS: a query, a table function, or the table whose columns are taken.
func (p *parser) parseCreateAs(t *CreateTable) {
	if p.is(tokLRound) || p.queryFollows(p.tok) {
		t.AsSelect = p.parseSelectQuery(false)
		return
	}
	pos := p.tok.pos
	id := p.parseIdent()
	if p.is(tokLRound) && id.Params == nil {
		p.tableCall = true
		t.AsFunc, _ = p.parseCall(pos, id.Name()).(*Func)
		return
	}
	name, ok := tableName(id)
	if !ok {
		p.unexpected("table name")
		return
	}
	t.AsTable = &name
}

// parseColumnList parses the brackets with columns, indexes, constraints and projections.
func (p *parser) parseColumnList(t *CreateTable) {
	t.HasColumns = true
	p.advance()
	for p.err == nil && !(p.is(tokRRound) && len(t.Columns) > 0) {
		pos := Position(p.tok.pos)
		next := p.peek()
		named := next.kind == tokWord || next.kind == tokQuotedIdent
		switch {
		case p.isWord("INDEX") && named && p.lexAfter(next).kind != tokComma && p.lexAfter(next).kind != tokRRound:
			p.advance()
			t.Indexes = append(t.Indexes, p.parseIndex(pos))
		case p.isWord("CONSTRAINT") && named:
			p.advance()
			c := &ConstraintDef{Position: pos, Name: p.parseName("identifier")}
			if c.Assume = p.acceptWord("ASSUME"); !c.Assume {
				p.expectWord("CHECK")
			}
			c.Expr = p.parseExpr()
			t.Constraints = append(t.Constraints, c)
		case p.isWord("PROJECTION") && named && p.lexAfter(next).kind == tokLRound:
			p.advance()
			d := &ProjectionDef{Position: pos, Name: p.parseName("identifier")}
			p.expect(tokLRound, "OpeningRoundBracket")
			d.Select = p.parseSelect()
			p.expect(tokRRound, "ClosingRoundBracket")
			t.Projections = append(t.Projections, d)
		case t.ColumnsPK == nil && p.isWords("PRIMARY", "KEY"):
			p.skip(2)
			t.ColumnsPK = []Expr{p.parseExpr()}
		default:
			t.Columns = append(t.Columns, p.parseColumn())
		}
		if !p.accept(tokComma) {
			break
		}
	}
	p.expect(tokRRound, "ClosingRoundBracket")
}

// parseIndex parses name expr TYPE type [GRANULARITY n].
func (p *parser) parseIndex(pos Position) *IndexDef {
	d := &IndexDef{Position: pos, Name: p.parseName("identifier")}
	d.Expr = p.parseExpr()
	p.expectWord("TYPE")
	d.Type = p.parseExpr()
	if p.acceptWord("GRANULARITY") {
		d.Granularity = p.parseExpr()
	}
	return d
}

// columnWords follow a column's name where no type was written.
var columnWords = words("DEFAULT", "MATERIALIZED", "ALIAS", "EPHEMERAL", "CODEC", "COMMENT", "TTL", "STATISTICS", "NOT", "NULL", "PRIMARY", "FIRST", "AFTER")

// parseColumn parses name [Type] with its properties, of which it must have a type or a default.
func (p *parser) parseColumn() *ColumnDef { return p.checkColumn(p.parseColumnPart(false)) }

// parseColumnPart parses a column as MODIFY COLUMN has it: what is to stay may be left out. The word TYPE may stand in front of the type in ALTER COLUMN.
func (p *parser) parseColumnPart(alter bool) *ColumnDef {
	c := &ColumnDef{Position: Position(p.tok.pos)}
	c.Name = p.parseIdent().Name()
	if alter {
		p.acceptWord("TYPE")
	}
	if (p.is(tokWord) || p.is(tokQuotedIdent)) && !p.currentIn(columnWords) {
		c.Type = p.parseType()
		if p.acceptWord("COLLATE") {
			c.Collate = p.parseName("identifier")
		}
	}
	for p.err == nil && p.is(tokWord) {
		switch {
		case !c.NotNull && !c.Null && p.acceptWords("NOT", "NULL"):
			c.NotNull = true
		case !c.NotNull && !c.Null && p.acceptWord("NULL"):
			c.Null = true
		case c.DefaultKind == DefaultNone && p.parseColumnDefault(c):
		case !c.HasComment && p.acceptWord("COMMENT"):
			c.Comment, c.HasComment = p.parseString(), true
		case c.Codec == nil && p.acceptWord("CODEC"):
			c.Codec = p.parseFilledList()
		case c.Statistics == nil && p.acceptWord("STATISTICS"):
			c.Statistics = p.parseFilledList()
		case c.TTL == nil && p.acceptWord("TTL"):
			c.TTL = p.parseExpr()
		case !c.PrimaryKey && p.acceptWords("PRIMARY", "KEY"):
			c.PrimaryKey = true
		case c.Settings == nil && p.isWord("SETTINGS") && p.peek().kind == tokLRound:
			p.skip(2)
			c.Settings = p.parseSettings()
			p.expect(tokRRound, "ClosingRoundBracket")
		default:
			return c
		}
	}
	return c
}

// checkColumn refuses a column with neither a type nor a default.
func (p *parser) checkColumn(c *ColumnDef) *ColumnDef {
	if p.err == nil && c.Type == nil && (c.DefaultKind == DefaultNone || c.Default == nil) {
		p.unexpected("data type")
	}
	return c
}

// parseColumnDefault parses DEFAULT, MATERIALIZED, ALIAS or EPHEMERAL with its expression.
func (p *parser) parseColumnDefault(c *ColumnDef) bool {
	switch {
	case p.acceptWord("DEFAULT"):
		c.DefaultKind = DefaultValue
	case p.acceptWord("MATERIALIZED"):
		c.DefaultKind = DefaultMaterialized
	case p.acceptWord("ALIAS"):
		c.DefaultKind = DefaultAlias
	case p.acceptWord("EPHEMERAL"):
		c.DefaultKind = DefaultEphemeral
		if k := p.tok.kind; k == tokComma || k == tokRRound || p.currentIn(columnWords) && !p.isWord("NULL") && !p.isWord("NOT") {
			return true
		}
	default:
		return false
	}
	c.Default = p.parseOperators(prioOr, "")
	return true
}

// parseStorage parses ENGINE = ... and the clauses that may stand with it or alone; nil where none of them stands.
func (p *parser) parseStorage() *Engine {
	e := &Engine{Position: Position(p.tok.pos)}
	found := false
	for p.err == nil && p.is(tokWord) {
		switch {
		case e.Name == "" && p.isWord("ENGINE"):
			named := p.parseEngine()
			e.Name, e.Args, e.HasArgs = named.Name, named.Args, named.HasArgs
		case e.PartitionBy == nil && p.acceptWords("PARTITION", "BY"):
			e.PartitionBy = p.parseExpr()
		case e.PrimaryKey == nil && p.acceptWords("PRIMARY", "KEY"):
			e.PrimaryKey = p.parseExpr()
		case e.OrderBy == nil && p.acceptWords("ORDER", "BY"):
			e.OrderBy = p.parseStorageOrder()
		case e.SampleBy == nil && p.acceptWords("SAMPLE", "BY"):
			e.SampleBy = p.parseExpr()
		case e.TTL == nil && p.acceptWord("TTL"):
			e.TTL = p.parseTTL()
		case e.Settings == nil && p.acceptSettings():
			e.Settings = p.parseSettings()
		default:
			if !found {
				return nil
			}
			return e
		}
		found = true
	}
	if !found {
		return nil
	}
	return e
}

// parseStorageOrder parses ORDER BY of a table: an expression, which may have a direction.
func (p *parser) parseStorageOrder() Expr {
	expr := p.parseExpr()
	if !p.acceptWord("ASC") {
		p.acceptWord("DESC")
	}
	return expr
}

// parseEngine parses ENGINE [=] Name[(args)].
func (p *parser) parseEngine() *Engine {
	e := &Engine{Position: Position(p.tok.pos)}
	p.expectWord("ENGINE")
	p.accept(tokEquals)
	e.Name = p.parseIdent().Name()
	if p.is(tokLRound) {
		e.HasArgs = true
		e.Args = p.parseBracketedList()
	}
	return e
}

// parseTTL parses the elements of a table's TTL.
func (p *parser) parseTTL() []TTLItem {
	var list []TTLItem
	for p.err == nil {
		item := TTLItem{Position: Position(p.tok.pos), Expr: p.parseExpr()}
		switch {
		case p.acceptWord("DELETE"):
			item.Action = "DELETE"
		case p.acceptWords("TO", "DISK"):
			item.Action, item.Target = "TO DISK", p.parseString()
		case p.acceptWords("TO", "VOLUME"):
			item.Action, item.Target = "TO VOLUME", p.parseString()
		case p.acceptWord("RECOMPRESS"):
			item.Action = "RECOMPRESS"
			p.expectWord("CODEC")
			item.Codec = p.parseFilledList()
		case p.acceptWords("GROUP", "BY"):
			item.Action = "GROUP BY"
			item.GroupBy = p.parseExprList(false)
			if p.acceptWord("SET") {
				item.Set = p.parseExprList(false)
			}
		}
		if p.acceptWord("WHERE") {
			item.Where = p.parseExpr()
		}
		list = append(list, item)
		if !p.accept(tokComma) {
			break
		}
	}
	return list
}
