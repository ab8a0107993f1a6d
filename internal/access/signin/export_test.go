package signin

import "context"

// TotpPlace lets tests seal as the program does.
var TotpPlace = totpPlace

// Resumed reports whether an answer to a passkey challenge counts now.
func (s *Service) Resumed(ctx context.Context, state string, adding bool) error {
	_, err := s.resumed(ctx, state, adding)
	return err
}
