package fuzz

// minimise makes a statement smaller while differs still holds of it: parts that may be left out are left out, expressions and queries are replaced
// by ones below them, then by constants. differs is asked at most tries times.
func minimise(root *node, tries int, differs func(*node) bool) *node {
	root = root.clone()
	try := func() bool {
		if tries == 0 {
			return false
		}
		tries--
		return differs(root)
	}
	for again := true; again && tries > 0; {
		again = shrink(root, try)
	}
	return root
}

// shrink goes once over a tree, larger pieces first, and tells whether anything became smaller.
func shrink(n *node, try func() bool) bool {
	if n.gone {
		return false
	}
	done := false
	switch n.role {
	case optional:
		if n.gone = true; try() {
			return true
		}
		n.gone = false
	case list:
		for i := len(n.kids) - 1; i >= 0 && len(n.kids) > n.min; i-- {
			all := n.kids
			n.kids = append(append([]*node{}, all[:i]...), all[i+1:]...)
			if try() {
				done = true
			} else {
				n.kids = all
			}
		}
	case operand:
		for _, below := range operandsBelow(n, n.query, nil) {
			was := *n
			*n = *below
			if try() {
				return true
			}
			*n = was
		}
		if !n.query && len(n.kids) > 0 {
			was := *n
			for _, constant := range []string{"1", "'a'", "NULL", "[1]"} {
				*n = node{role: operand, text: constant, class: was.class}
				if try() {
					return true
				}
			}
			*n = was
		}
	}
	for _, k := range n.kids {
		if shrink(k, try) {
			done = true
		}
	}
	return done
}

// operandsBelow lists the nearest operands of one sort under a node.
func operandsBelow(n *node, query bool, found []*node) []*node {
	for _, k := range n.kids {
		if k.gone {
			continue
		}
		if k.role == operand && k.query == query {
			found = append(found, k)
		} else {
			found = operandsBelow(k, query, found)
		}
	}
	return found
}
