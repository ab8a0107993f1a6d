package sync

// PresenceClass is for tests that stand in for another process.
const PresenceClass = presenceClass
