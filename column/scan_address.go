package column

func scanIPv4(b []byte) (v uint32, n int, ok bool) {
	i := 0
	for k := 0; k < 4; k++ {
		if k > 0 {
			if i >= len(b) || b[i] != '.' {
				return 0, 0, false
			}
			i++
		}
		d, j := number(b, i, 3)
		if j == i || d > 255 {
			return 0, 0, false
		}
		v = v<<8 | uint32(d)
		i = j
	}
	return v, i, true
}

func scanIPv6(b []byte) (v IPv6Value, n int, ok bool) {
	end := 0
	for end < len(b) && (b[end] == ':' || b[end] == '.' || wordByte(b[end])) {
		end++
	}
	s := b[:end]
	if v4, k, ok := scanIPv4(s); ok && k == end { // plain IPv4 is taken as mapped
		v[10], v[11] = 0xff, 0xff
		v[12], v[13], v[14], v[15] = byte(v4>>24), byte(v4>>16), byte(v4>>8), byte(v4)
		return v, end, true
	}
	var groups [8]uint16
	count, gap := 0, -1
	i := 0
	if len(s) >= 2 && s[0] == ':' && s[1] == ':' {
		gap, i = 0, 2
	}
	for i < len(s) {
		if count == 8 {
			return v, 0, false
		}
		j := i
		x := 0
		for j < len(s) && j < i+5 {
			c := s[j] | 0x20
			switch {
			case s[j] >= '0' && s[j] <= '9':
				x = x<<4 | int(s[j]-'0')
			case c >= 'a' && c <= 'f':
				x = x<<4 | int(c-'a'+10)
			default:
				goto group
			}
			j++
		}
	group:
		if j < len(s) && s[j] == '.' {
			v4, k, ok := scanIPv4(s[i:])
			if !ok || count > 6 || i+k != len(s) {
				return v, 0, false
			}
			groups[count], groups[count+1] = uint16(v4>>16), uint16(v4)
			count += 2
			i += k
			break
		}
		if j == i || j-i > 4 {
			return v, 0, false
		}
		groups[count] = uint16(x)
		count++
		i = j
		if i == len(s) {
			break
		}
		if s[i] != ':' {
			return v, 0, false
		}
		i++
		if i < len(s) && s[i] == ':' {
			if gap >= 0 {
				return v, 0, false
			}
			gap = count
			i++
		} else if i == len(s) {
			return v, 0, false
		}
	}
	if gap < 0 && count != 8 || gap >= 0 && count > 7 {
		return v, 0, false
	}
	if gap >= 0 {
		tail := count - gap
		copy(groups[8-tail:], groups[gap:count])
		for k := gap; k < 8-tail; k++ {
			groups[k] = 0
		}
	}
	for k, g := range groups {
		v[2*k], v[2*k+1] = byte(g>>8), byte(g)
	}
	return v, end, true
}

func scanUUID(b []byte) (u UUIDValue, n int, ok bool) {
	digits := 0
	i := 0
	for ; i < len(b) && digits < 32; i++ {
		c := b[i]
		var x byte
		switch {
		case c >= '0' && c <= '9':
			x = c - '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			x = (c | 0x20) - 'a' + 10
		case c == '-' && (i == 8 || i == 13 || i == 18 || i == 23):
			continue
		default:
			return u, 0, false
		}
		if digits < 16 {
			u.Hi = u.Hi<<4 | uint64(x)
		} else {
			u.Lo = u.Lo<<4 | uint64(x)
		}
		digits++
	}
	return u, i, digits == 32
}
