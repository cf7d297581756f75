package sql

// AlterKind says what one command of ALTER TABLE does.
type AlterKind uint8

// The kinds of commands. AlterOther are those that are known to be commands of ClickHouse and are not broken down.
const (
	AlterAddColumn AlterKind = iota
	AlterDropColumn
	AlterModifyColumn
	AlterRenameColumn
	AlterCommentColumn
	AlterModifyComment
	AlterModifySetting
	AlterDelete
	AlterUpdate
	AlterOther
)

// Alter is ALTER [TEMPORARY] TABLE.
type Alter struct {
	Position
	Temporary bool
	Name      TableName
	Cluster   string
	Commands  []AlterCommand
}

// AlterCommand is one command.
type AlterCommand struct {
	Position
	Kind        AlterKind
	IfExists    bool
	IfNotExists bool
	Column      *ColumnDef // ADD and MODIFY; its type is nil where MODIFY names none
	Name        string     // the column of the other commands; the words of AlterOther with "_" between them: ADD_INDEX
	To          string     // RENAME COLUMN a TO b
	First       bool
	After       string
	Remove      string // MODIFY COLUMN c REMOVE DEFAULT, COMMENT, ...
	Comment     string
	Settings    []Setting
	Set         []Assignment // UPDATE
	Where       Expr         // UPDATE and DELETE
}

// Assignment is column = expression of UPDATE.
type Assignment struct {
	Column string
	Value  Expr
}

// Alter breaks an ALTER TABLE down; other statements are an error.
func (g *GenericStatement) Alter(opts Options) (*Alter, error) {
	a := &Alter{Position: g.Position}
	_, err := parseText(g.Text, opts, func(p *parser) {
		*a = Alter{Position: g.Position}
		p.expectWord("ALTER")
		a.Temporary = p.acceptWord("TEMPORARY")
		p.expectWord("TABLE")
		a.Name = p.parseTableName()
		a.Cluster = p.parseCluster()
		for p.err == nil {
			a.Commands = append(a.Commands, p.parseAlterCommand())
			if !p.accept(tokComma) {
				break
			}
		}
		p.expectEnd()
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

// otherAlters are the beginnings of commands that are not broken down, with the name that ClickHouse gives their kind.
var otherAlters = []struct {
	words []string
	name  string
}{
	{[]string{"ADD", "INDEX"}, "ADD_INDEX"}, {[]string{"DROP", "INDEX"}, "DROP_INDEX"}, {[]string{"ADD", "CONSTRAINT"}, "ADD_CONSTRAINT"},
	{[]string{"DROP", "CONSTRAINT"}, "DROP_CONSTRAINT"}, {[]string{"ADD", "PROJECTION"}, "ADD_PROJECTION"}, {[]string{"DROP", "PROJECTION"}, "DROP_PROJECTION"},
	{[]string{"MODIFY", "ORDER", "BY"}, "MODIFY_ORDER_BY"}, {[]string{"MODIFY", "SAMPLE", "BY"}, "MODIFY_SAMPLE_BY"}, {[]string{"MODIFY", "QUERY"}, "MODIFY_QUERY"},
	{[]string{"RESET", "SETTING"}, "RESET_SETTING"}, {[]string{"MODIFY", "TTL"}, "MODIFY_TTL"}, {[]string{"REMOVE", "TTL"}, "REMOVE_TTL"},
	{[]string{"CLEAR"}, "CLEAR"}, {[]string{"MATERIALIZE"}, "MATERIALIZE"}, {[]string{"DROP", "PARTITION"}, "DROP_PARTITION"}, {[]string{"DROP", "PART"}, "DROP_PART"},
	{[]string{"DETACH"}, "DETACH"}, {[]string{"ATTACH"}, "ATTACH"}, {[]string{"REPLACE"}, "REPLACE"}, {[]string{"MOVE"}, "MOVE"}, {[]string{"FREEZE"}, "FREEZE"},
	{[]string{"UNFREEZE"}, "UNFREEZE"}, {[]string{"FETCH"}, "FETCH"}, {[]string{"APPLY"}, "APPLY"}, {[]string{"ADD", "STATISTICS"}, "ADD_STATISTICS"},
	{[]string{"DROP", "STATISTICS"}, "DROP_STATISTICS"}, {[]string{"MODIFY", "STATISTICS"}, "MODIFY_STATISTICS"},
	{[]string{"MODIFY", "SQL", "SECURITY"}, "MODIFY_SQL_SECURITY"}, {[]string{"MODIFY", "REFRESH"}, "MODIFY_REFRESH"},
}

func (p *parser) parseAlterCommand() AlterCommand {
	c := AlterCommand{Position: Position(p.tok.pos)}
	for _, o := range otherAlters {
		if p.isWords(o.words...) {
			c.Kind, c.Name = AlterOther, o.name
			p.skipAlterCommand()
			return c
		}
	}
	switch {
	case p.acceptWords("ADD", "COLUMN"):
		c.Kind, c.IfNotExists = AlterAddColumn, p.acceptIfNotExists()
		c.Column = p.parseColumn()
		p.parseColumnPlace(&c)
	case p.acceptWords("DROP", "COLUMN"):
		c.Kind, c.IfExists = AlterDropColumn, p.acceptIfExists()
		c.Name = p.parseIdent().Name()
	case p.acceptWords("MODIFY", "COLUMN"), p.acceptWords("ALTER", "COLUMN"):
		p.parseModifyColumn(&c)
	case p.acceptWords("RENAME", "COLUMN"):
		c.Kind, c.IfExists = AlterRenameColumn, p.acceptIfExists()
		c.Name = p.parseIdent().Name()
		p.expectWord("TO")
		c.To = p.parseIdent().Name()
	case p.acceptWords("COMMENT", "COLUMN"):
		c.Kind, c.IfExists = AlterCommentColumn, p.acceptIfExists()
		c.Name = p.parseIdent().Name()
		c.Comment = p.parseString()
	case p.acceptWords("MODIFY", "COMMENT"):
		c.Kind, c.Comment = AlterModifyComment, p.parseString()
	case p.acceptWords("MODIFY", "SETTING"):
		c.Kind, c.Settings = AlterModifySetting, p.parseSettings()
	case p.acceptWord("DELETE"):
		c.Kind = AlterDelete
		p.expectWord("WHERE")
		c.Where = p.parseExpr()
	case p.acceptWord("UPDATE"):
		c.Kind = AlterUpdate
		p.parseAssignments(&c)
		p.expectWord("WHERE")
		c.Where = p.parseExpr()
	default:
		for _, word := range []string{"ADD COLUMN", "DROP COLUMN", "MODIFY COLUMN", "RENAME COLUMN", "COMMENT COLUMN", "MODIFY COMMENT", "MODIFY SETTING", "DELETE"} {
			p.note(word)
		}
		p.unexpected("UPDATE")
	}
	return c
}

// parseColumnPlace parses FIRST or AFTER column.
func (p *parser) parseColumnPlace(c *AlterCommand) {
	if p.acceptWord("FIRST") {
		c.First = true
	} else if p.acceptWord("AFTER") {
		c.After = p.parseIdent().Name()
	}
}

// parseModifyColumn parses what follows MODIFY COLUMN: a definition in part, or what is to be removed.
func (p *parser) parseModifyColumn(c *AlterCommand) {
	c.Kind, c.IfExists = AlterModifyColumn, p.acceptIfExists()
	if p.tokenIs(p.peek(), "REMOVE") {
		c.Column = &ColumnDef{Position: Position(p.tok.pos), Name: p.parseIdent().Name()}
		p.advance()
		for _, what := range []string{"DEFAULT", "MATERIALIZED", "ALIAS", "EPHEMERAL", "COMMENT", "CODEC", "TTL"} {
			if p.acceptWord(what) {
				c.Remove = what
				return
			}
		}
		p.unexpected("DEFAULT")
		return
	}
	c.Column = p.parseColumnPart(true)
	p.parseColumnPlace(c)
}

// skipAlterCommand passes a command over, up to a comma outside of brackets.
func (p *parser) skipAlterCommand() {
	depth := 0
	for p.err == nil && !p.is(tokEnd) && !(depth == 0 && (p.is(tokComma) || p.is(tokSemicolon))) {
		switch p.tok.kind {
		case tokLRound:
			depth++
		case tokRRound:
			depth--
		}
		p.advance()
	}
}

func (p *parser) parseAssignments(c *AlterCommand) {
	for p.err == nil {
		name := p.parseIdent().Name()
		p.expect(tokEquals, "Equals")
		c.Set = append(c.Set, Assignment{Column: name, Value: p.parseExpr()})
		if !p.accept(tokComma) {
			return
		}
	}
}

// TableName is the table that OPTIMIZE TABLE t, CHECK TABLE t, DELETE FROM t or UPDATE t names; false where the statement names none.
func (g *GenericStatement) TableName() (TableName, bool) {
	var name TableName
	p := &parser{lex: lexer{text: g.Text}, opts: Options{}.withDefaults()}
	p.advance()
	p.advance()
	if !p.acceptWord("TABLE") && !p.acceptWord("FROM") && g.Verb != "UPDATE" {
		return name, false
	}
	name = p.parseTableName()
	return name, p.err == nil
}
