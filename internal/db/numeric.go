package db

import (
	"encoding/binary"

	"github.com/jackc/pgx/v5/pgtype"
	"github.com/shopspring/decimal"
)

// numericCodec decodes numerics from the wire straight into decimals. The driver itself goes through
// text, which is most of the cost of reading a row of numbers.
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
	// Long, null or not a number: leave it to the driver, including errors.
	v, err := p.value(src)
	if err != nil {
		return err
	}
	return target.(*decimal.Decimal).Scan(v)
}

func (p decimalPlan) value(src []byte) (any, error) {
	return pgtype.NumericCodec{}.DecodeDatabaseSQLValue(p.m, p.oid, pgtype.BinaryFormatCode, src)
}

// At most maxGroups groups of four digits fit an int64, with up to three more digits for the scale.
const (
	maxGroups = 3
	minus     = 0x4000
)

// readNumeric reads the server's binary form: the number of four-digit groups, the first one's power of
// 10,000, the sign, the digits after the point, and the groups. It returns false for what it leaves to
// the driver.
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
	// The groups may end before or after the number's scale.
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
