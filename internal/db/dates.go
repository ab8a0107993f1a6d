package db

import (
	"errors"
	"time"

	"github.com/golang-sql/civil"
	"github.com/jackc/pgx/v5/pgtype"
)

// dateCodec reads and writes dates as [civil.Date]. The driver's own type is a moment: midnight in UTC.
type dateCodec struct{ pgtype.DateCodec }

func readDatesAsDays(m *pgtype.Map) {
	date := &pgtype.Type{Name: "date", OID: pgtype.DateOID, Codec: dateCodec{}}
	m.RegisterType(date)
	m.RegisterType(&pgtype.Type{Name: "_date", OID: pgtype.DateArrayOID, Codec: &pgtype.ArrayCodec{ElementType: date}})
}

// PlanEncode implements [pgtype.Codec].
func (c dateCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(civil.Date); ok {
		return dayWriter{c.DateCodec.PlanEncode(m, oid, format, day{})}
	}
	return c.DateCodec.PlanEncode(m, oid, format, value)
}

// PlanScan implements [pgtype.Codec].
func (c dateCodec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if _, ok := target.(*civil.Date); ok {
		return dayReader{c.DateCodec.PlanScan(m, oid, format, &day{})}
	}
	return c.DateCodec.PlanScan(m, oid, format, target)
}

type dayWriter struct{ pgtype.EncodePlan }

func (w dayWriter) Encode(value any, buf []byte) ([]byte, error) {
	return w.EncodePlan.Encode(day(value.(civil.Date)), buf)
}

type dayReader struct{ pgtype.ScanPlan }

func (r dayReader) Scan(src []byte, target any) error {
	return r.ScanPlan.Scan(src, (*day)(target.(*civil.Date)))
}

// day is a civil.Date as the driver's codec takes it.
type day civil.Date

func (d day) DateValue() (pgtype.Date, error) {
	return pgtype.Date{Time: civil.Date(d).In(time.UTC), Valid: true}, nil
}

func (d *day) ScanDate(v pgtype.Date) error {
	if !v.Valid || v.InfinityModifier != pgtype.Finite {
		return errors.New("not a day")
	}
	*d = day(civil.DateOf(v.Time))
	return nil
}
