package brand

import "encoding/binary"

// ends finds, by format, where a picture's own markers end it. A file with more data after its end
// could also be read as something else. A picture without an end isn't complete.
var ends = map[string]func(file []byte) (end int, whole bool){"png": pngEnd, "jpeg": jpegEnd, "gif": gifEnd, "webp": webpEnd}

// within reports whether an end lies within the file.
func within(file []byte, end int) (int, bool) { return end, end <= len(file) }

// pngEnd is the position after the final chunk.
func pngEnd(file []byte) (int, bool) {
	for at := 8; at+8 <= len(file); {
		kind, next := string(file[at+4:at+8]), at+12+int(binary.BigEndian.Uint32(file[at:]))
		if kind == "IEND" {
			return within(file, next)
		}
		at = next
	}
	return 0, false
}

// webpEnd is stated in the file's header.
func webpEnd(file []byte) (int, bool) {
	return within(file, 8+int(binary.LittleEndian.Uint32(file[4:])))
}

// maxScans is more scans than any real picture uses. Each goes over the whole picture, but takes only a
// few bytes.
const maxScans = 64

// jpegEnd is the position after the end marker. Within a scan, other markers and stuffed bytes are skipped.
func jpegEnd(file []byte) (int, bool) {
	scans := 0
	for at := 2; at+1 < len(file); {
		mark := file[at+1]
		switch {
		case file[at] != 0xff || mark == 0xff:
			at++
		case mark == 0xd9:
			return at + 2, true
		case mark <= 0x01 || mark >= 0xd0 && mark <= 0xd8:
			at += 2
		case at+4 > len(file):
			return 0, false
		default:
			if mark == 0xda {
				scans++
			}
			if scans > maxScans {
				return 0, false
			}
			at += 2 + int(binary.BigEndian.Uint16(file[at+2:]))
		}
	}
	return 0, false
}

// gifEnd is the position after the trailer: everything before it is made of blocks of sub-blocks.
func gifEnd(file []byte) (int, bool) {
	colours := func(flags byte) int {
		if flags&0x80 == 0 {
			return 0
		}
		return 3 << (flags&7 + 1)
	}
	for at := 13 + colours(file[10]); at < len(file); at++ {
		switch file[at] {
		case 0x3b:
			return at + 1, true
		case 0x21:
			at += 2
		case 0x2c:
			if at+9 >= len(file) {
				return 0, false
			}
			at += 11 + colours(file[at+9])
		default:
			return 0, false
		}
		for at < len(file) && file[at] != 0 {
			at += 1 + int(file[at])
		}
	}
	return 0, false
}
