package db

import (
	"encoding/binary"

	"github.com/jackc/pgx/v5/pgtype"
	"github.com/shopspring/decimal"
)

// numericCodec reads numerics into decimals as they come over the wire. The
// driver's own way leads over text, which is most of what reading a row of
// numbers costs.
type numericCodec struct{ pgtype.NumericCodec }

// PlanScan implements [pgtype.Codec].
func (c numericCodec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if _, ok := target.(*decimal.Decimal); ok && format == pgtype.BinaryFormatCode {
		return decimalPlan{m, oid}
	}
	return c.NumericCodec.PlanScan(m, oid, format, target)
}

func scanNumericsAsDecimals(m *pgtype.Map) {
	m.RegisterType(&pgtype.Type{Name: "numeric", OID: pgtype.NumericOID, Codec: numericCodec{}})
}

type decimalPlan struct {
	m   *pgtype.Map
	oid uint32
}

// Scan implements [pgtype.ScanPlan].
func (p decimalPlan) Scan(src []byte, target any) error {
	if d, ok := readNumeric(src); ok {
		*target.(*decimal.Decimal) = d
		return nil
	}
	// Long, null or not a number at all: the driver's way, and its errors.
	v, err := p.value(src)
	if err != nil {
		return err
	}
	return target.(*decimal.Decimal).Scan(v)
}

func (p decimalPlan) value(src []byte) (any, error) {
	return pgtype.NumericCodec{}.DecodeDatabaseSQLValue(p.m, p.oid, pgtype.BinaryFormatCode, src)
}

// maxGroups of four digits, with up to three more for the scale, fit an int64.
const (
	maxGroups = 3
	minus     = 0x4000
)

// readNumeric reads the server's binary form: how many groups of four digits
// there are, the power of 10,000 of the first, the sign, the digits after the
// point, and the groups. It reports false for what it leaves to the driver.
func readNumeric(src []byte) (decimal.Decimal, bool) {
	if len(src) < 8 {
		return decimal.Decimal{}, false
	}
	field := func(i int) int { return int(int16(binary.BigEndian.Uint16(src[2*i:]))) }
	groups, weight, sign, scale := field(0), field(1), field(2), field(3)
	if groups < 0 || groups > maxGroups || len(src) != 8+2*groups || sign != 0 && sign != minus {
		return decimal.Decimal{}, false
	}
	n := int64(0)
	for i := range groups {
		n = n*10_000 + int64(field(4+i))
	}
	if sign != 0 {
		n = -n
	}
	// The groups end where they end; the number ends at its scale.
	shift := 4*(weight-groups+1) + scale
	if groups == 0 {
		shift = 0
	}
	if shift < -3 || shift > 6 {
		return decimal.Decimal{}, false
	}
	for ; shift > 0; shift-- {
		n *= 10
	}
	for ; shift < 0; shift++ {
		n /= 10
	}
	return decimal.New(n, int32(-scale)), true
}
