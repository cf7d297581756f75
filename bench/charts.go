package bench

import (
	"fmt"
	"image/color"
	"math"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// series is one line of a chart.
type series struct {
	name   string
	points plotter.XYs
	dashed bool
}

// lineChart is a chart of lines; y begins at 0 where it is linear.
type lineChart struct {
	title, x, y string
	logX, logY  bool
	lines       []series
}

// seriesColor gives line i a colour that also people who see fewer colours tell apart (Okabe and Ito's palette).
func seriesColor(i int) color.Color {
	palette := [...]color.RGBA{{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {230, 159, 0, 255}, {86, 180, 233, 255}, {60, 60, 60, 255}}
	return palette[i%len(palette)]
}

// write draws the chart into NAME.png and NAME.svg of a folder; a chart without lines is not drawn.
func (c *lineChart) write(dir, name string) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.title, c.x, c.y
	p.Title.Padding, p.Legend.Top, p.Legend.XOffs = vg.Points(8), true, -vg.Points(6)
	p.Add(plotter.NewGrid())
	drawn := 0
	for i, s := range c.lines {
		if len(s.points) == 0 {
			continue
		}
		line, points, err := plotter.NewLinePoints(s.points)
		if err != nil {
			return fmt.Errorf("chart %s, line %s: %w", name, s.name, err)
		}
		line.Color, line.Width = seriesColor(i), vg.Points(1.8)
		points.Color, points.Shape, points.Radius = seriesColor(i), draw.CircleGlyph{}, vg.Points(2.5)
		p.Add(line)
		if s.dashed {
			line.Dashes = []vg.Length{vg.Points(5), vg.Points(4)}
			p.Legend.Add(s.name, line)
		} else {
			p.Add(points)
			p.Legend.Add(s.name, line, points)
		}
		drawn++
	}
	if drawn == 0 {
		return nil
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(evenTicks), plot.TickerFunc(evenTicks)
	if c.logX {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.TickerFunc(powerTicks)
		if p.X.Min >= p.X.Max {
			p.X.Min, p.X.Max = p.X.Min/10, p.X.Max*10
		}
	}
	room := 0.06 * float64(drawn) // for the legend, as a share of the height
	if c.logY && p.Y.Min > 0 {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(powerTicks)
		p.Y.Min /= 1.5
		p.Y.Max *= math.Pow(p.Y.Max/p.Y.Min, room)
	} else {
		p.Y.Min = 0
		p.Y.Max *= 1 + room
	}
	return saveChart(p, 8*vg.Inch, 5*vg.Inch, dir, name)
}

// evenTicks marks 4 to 10 round numbers.
func evenTicks(low, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10(max(high-low, 1e-9)/4)))
	for _, times := range []float64{5, 2} {
		if step*times <= (high-low)/4 {
			step *= times
			break
		}
	}
	var out []plot.Tick
	for i := math.Ceil(low / step); i*step <= high+step/1e6; i++ {
		out = append(out, plot.Tick{Value: i * step, Label: fmt.Sprintf("%.6g", i*step)})
	}
	return out
}

// powerTicks marks the powers of ten, with lines without labels between.
func powerTicks(low, high float64) []plot.Tick {
	var out []plot.Tick
	for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
		for digit := 1.0; digit < 10; digit++ {
			tick := plot.Tick{Value: digit * power}
			switch {
			case tick.Value < low || tick.Value > high:
				continue
			case digit == 1 && power >= 1e3:
				tick.Label = fmt.Sprintf("1e%.0f", math.Log10(power))
			case digit == 1 || high/low < 1e3 && (digit == 2 || digit == 5):
				tick.Label = fmt.Sprintf("%g", tick.Value)
			}
			out = append(out, tick)
		}
	}
	return out
}

// bar is one bar of a chart.
type bar struct {
	label string
	value float64
	ours  bool
}

// barChart has a horizontal bar a dictionary: dictsvc's in one colour, ClickHouse's in another. Other charts name the two colours otherwise.
type barChart struct {
	title, x string
	bars     []bar // from the top
	legend   map[bool]string
}

func (c *barChart) write(dir, name string) error {
	if len(c.bars) == 0 {
		return nil
	}
	legend := c.legend
	if legend == nil {
		legend = map[bool]string{true: "dictsvc", false: "ClickHouse 26.7"}
	}
	p := plot.New()
	p.Title.Text, p.X.Label.Text = c.title, c.x
	p.Title.Padding, p.X.Min = vg.Points(8), 0
	labels := make([]string, len(c.bars))
	values := map[bool]plotter.Values{true: make(plotter.Values, len(c.bars)), false: make(plotter.Values, len(c.bars))}
	ends := plotter.XYLabels{XYs: make(plotter.XYs, len(c.bars)), Labels: make([]string, len(c.bars))}
	for i, b := range c.bars {
		at := len(c.bars) - 1 - i // the axis counts from the bottom
		labels[at] = b.label
		values[b.ours][at] = b.value
		ends.XYs[at], ends.Labels[at] = plotter.XY{X: b.value, Y: float64(at)}, " "+short(b.value)
	}
	for i, ours := range []bool{true, false} {
		bars, err := plotter.NewBarChart(values[ours], vg.Points(12))
		if err != nil {
			return fmt.Errorf("chart %s: %w", name, err)
		}
		bars.Horizontal, bars.Color, bars.LineStyle.Width = true, seriesColor(i), 0
		p.Add(bars)
		p.Legend.Add(legend[ours], bars)
	}
	texts, err := plotter.NewLabels(ends)
	if err != nil {
		return fmt.Errorf("chart %s: %w", name, err)
	}
	for i := range texts.TextStyle {
		texts.TextStyle[i].YAlign = draw.YCenter
	}
	p.Add(texts)
	p.X.Tick.Marker = plot.TickerFunc(evenTicks)
	p.X.Max *= 1.4 // room for the figures at the bars' ends and the legend
	p.Legend.XOffs = -vg.Points(6)
	p.NominalY(labels...)
	return saveChart(p, 9*vg.Inch, vg.Length(len(c.bars))*vg.Points(19)+1.2*vg.Inch, dir, name)
}

func saveChart(p *plot.Plot, width, height vg.Length, dir, name string) error {
	p.BackgroundColor = color.White
	for _, ext := range []string{".png", ".svg"} {
		path := filepath.Join(dir, name+ext)
		if err := p.Save(width, height, path); err != nil {
			return fmt.Errorf("write chart %s: %w", path, err)
		}
	}
	return nil
}
