package format

// rule is the characters of one horizontal line of a table.
type rule struct{ left, dash, cross, right string }

// titles are the lines of column names: borders around them, and text before and after.
type titles struct {
	above, names, below rule
	before, after       string
}

// grid is how a Pretty format draws its tables.
type grid struct {
	head, foot titles
	row        rule // dash is not used
	between    rule // between rows
	bottom     rule
	dash       string // of the line that stands for rows left out
	from, to   string // a value goes on: at the begin of a line, at its end
	space      bool   // PrettySpace
}

var (
	gridFull = grid{
		head:    titles{above: rule{"┏", "━", "┳", "┓"}, names: rule{"┃", " ", "┃", "┃"}, below: rule{"┡", "━", "╇", "┩"}},
		foot:    titles{above: rule{"┢", "━", "╈", "┪"}, names: rule{"┃", " ", "┃", "┃"}, below: rule{"┗", "━", "┻", "┛"}},
		row:     rule{"│", "", "│", "│"},
		between: rule{"├", "─", "┼", "┤"},
		bottom:  rule{"└", "─", "┴", "┘"},
		dash:    "─", from: "↳", to: "↴",
	}
	gridCompact = grid{
		head:   titles{names: rule{"┌", "─", "┬", "┐"}},
		foot:   titles{names: rule{"└", "─", "┴", "┘"}},
		row:    rule{"│", "", "│", "│"},
		bottom: rule{"└", "─", "┴", "┘"},
		dash:   "─", from: "↳", to: "↴",
	}
	gridSpace = grid{
		head: titles{names: rule{"", " ", " ", ""}, after: "\n"},
		foot: titles{names: rule{"", " ", " ", ""}, before: "\n", after: "\n"},
		row:  rule{"", "", " ", ""},
		dash: "─", from: "↳", to: "↴", space: true,
	}
)

// ascii returns the grid in plain characters.
func (g grid) ascii() grid {
	plus := rule{"+", "-", "+", "+"}
	bar := rule{"|", " ", "|", "|"}
	for _, t := range []*titles{&g.head, &g.foot} {
		if t.above.left != "" {
			t.above, t.names, t.below = plus, bar, plus
		} else if !g.space {
			t.names = plus
		}
	}
	if !g.space {
		g.row = bar
		g.bottom = plus
	}
	if g.between.left != "" {
		g.between = plus
	}
	g.dash = "-"
	return g
}
