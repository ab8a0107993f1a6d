package dbtest

import "syscall"

// roomyMemory is an in-memory file system with room for many test processes' servers, or "". Containers
// often have one that is too small.
func roomyMemory() string {
	const place, room = "/dev/shm", 4 << 30
	var st syscall.Statfs_t
	if err := syscall.Statfs(place, &st); err != nil || uint64(st.Bavail)*uint64(st.Bsize) < room {
		return ""
	}
	return place
}
