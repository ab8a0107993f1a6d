package signin

// TotpPlace lets tests seal as the program does.
var TotpPlace = totpPlace
