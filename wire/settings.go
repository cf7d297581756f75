package wire

import (
	"strconv"

	"dictsvc/errcode"
)

// encodeSettings writes a list of settings as the revision has them. Under FeatureTextSettings names that 18.16 does not know are left
// out: it could not read on after them.
func encodeSettings(w *output, settings []Setting, revision uint64) error {
	text := FeatureTextSettings.In(revision)
	for _, s := range settings {
		if text {
			w.str(s.Name)
			w.uvarint(s.Flags)
			w.str(s.Value)
			continue
		}
		encoding := binarySettings[s.Name]
		if encoding == settingUnknown {
			continue
		}
		w.str(s.Name)
		switch encoding {
		case settingString:
			w.str(s.Value)
		case settingVarInt:
			v, err := strconv.ParseInt(s.Value, 10, 64)
			if err != nil {
				return errcode.New(errcode.CannotParseNumber, "setting %s: want a number, got %q", s.Name, s.Value)
			}
			w.varint(v)
		case settingVarUInt:
			v, err := unsignedSetting(s.Value)
			if err != nil {
				return errcode.New(errcode.CannotParseNumber, "setting %s: want an unsigned number, got %q", s.Name, s.Value)
			}
			w.uvarint(v)
		}
	}
	w.str("")
	return nil
}

func unsignedSetting(v string) (uint64, error) {
	switch v {
	case "true":
		return 1, nil
	case "false", "auto":
		return 0, nil
	}
	return strconv.ParseUint(v, 10, 64)
}

// decodeSettings appends to dst the settings of a Query packet, up to the empty name.
func decodeSettings(r *input, dst []Setting, revision uint64, l *Limits, words *words) []Setting {
	text := FeatureTextSettings.In(revision)
	for {
		s := Setting{Name: words.read(r, "Name of a setting", l.MaxString)}
		if r.err != nil || s.Name == "" {
			return dst
		}
		if len(dst) >= l.MaxSettings {
			r.fail(errcode.New(errcode.TooLargeArraySize, "Settings: want at most %d", l.MaxSettings))
			return dst
		}
		if text {
			s.Flags = r.uvarint()
			s.Value = words.read(r, "Value of a setting", l.MaxString)
		} else {
			s.Value = decodeBinarySetting(r, s.Name, l, words)
		}
		if r.err != nil {
			return dst
		}
		dst = append(dst, s)
	}
}

func decodeBinarySetting(r *input, name string, l *Limits, words *words) string {
	switch binarySettings[name] {
	case settingString:
		return words.read(r, "Value of a setting", l.MaxString)
	case settingVarInt:
		return strconv.FormatInt(r.varint(), 10)
	case settingVarUInt:
		return strconv.FormatUint(r.uvarint(), 10)
	}
	r.fail(errcode.New(errcode.UnknownSetting, "Unknown setting %s", name))
	return ""
}
