package dbtest

import "syscall"

// roomyMemory is a file system in memory with room for the servers of many test processes, or "". Containers often have one with
// little room.
func roomyMemory() string {
	const place, room = "/dev/shm", 4 << 30
	var st syscall.Statfs_t
	if err := syscall.Statfs(place, &st); err != nil || uint64(st.Bavail)*uint64(st.Bsize) < room {
		return ""
	}
	return place
}
