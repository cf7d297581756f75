package column

import "strconv"

const hexDigits = "0123456789abcdef"

func appendUUID(buf []byte, u UUIDValue) []byte {
	put := func(v uint64, from, to int) {
		for i := from; i > to; i -= 4 {
			buf = append(buf, hexDigits[v>>(i-4)&15])
		}
	}
	put(u.Hi, 64, 32)
	buf = append(buf, '-')
	put(u.Hi, 32, 16)
	buf = append(buf, '-')
	put(u.Hi, 16, 0)
	buf = append(buf, '-')
	put(u.Lo, 64, 48)
	buf = append(buf, '-')
	put(u.Lo, 48, 0)
	return buf
}

func appendIPv4(buf []byte, v uint32) []byte {
	for shift := 24; shift >= 0; shift -= 8 {
		buf = strconv.AppendUint(buf, uint64(v>>shift&255), 10)
		if shift > 0 {
			buf = append(buf, '.')
		}
	}
	return buf
}

// appendIPv6 writes an address as inet_ntop does: the longest run of two or more zero groups as "::", and IPv4 at the end of mapped and compatible addresses.
func appendIPv6(buf []byte, v IPv6Value) []byte {
	var g [8]uint16
	for i := range g {
		g[i] = uint16(v[2*i])<<8 | uint16(v[2*i+1])
	}
	best, bestLen := -1, 0
	for i := 0; i < 8; {
		j := i
		for j < 8 && g[j] == 0 {
			j++
		}
		if j-i > bestLen {
			best, bestLen = i, j-i
		}
		i = max(j, i+1)
	}
	if bestLen < 2 {
		best = -1
	}
	for i := 0; i < 8; i++ {
		if best >= 0 && i >= best && i < best+bestLen {
			if i == best {
				buf = append(buf, ':')
			}
			continue
		}
		if i > 0 {
			buf = append(buf, ':')
		}
		if i == 6 && best == 0 && (bestLen == 6 || bestLen == 5 && g[5] == 0xffff) {
			return appendIPv4(buf, uint32(g[6])<<16|uint32(g[7]))
		}
		buf = strconv.AppendUint(buf, uint64(g[i]), 16)
	}
	if best >= 0 && best+bestLen == 8 {
		buf = append(buf, ':')
	}
	return buf
}
