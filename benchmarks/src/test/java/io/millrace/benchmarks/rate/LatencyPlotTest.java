package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.harness.Chart;
import io.millrace.benchmarks.harness.Rate;
import io.millrace.benchmarks.harness.RateSummary;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.Rounds;
import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LatencyPlotTest
{
    @Test
    void shouldBeWellFormedForAnyHostName() throws Exception
    {
        final Document svg = parse(new LatencyPlot(List.of("CPU <fast> & \"cheap\"", "run")).add(summary("1m")));
        assertEquals("svg", svg.getDocumentElement().getTagName());
        assertTrue(texts(svg).contains("CPU <fast> & \"cheap\""));
    }

    @Test
    void shouldNeedNoOtherFile() throws Exception
    {
        final String svg = new LatencyPlot(List.of("host", "run")).add(summary("1m")).svg();
        assertFalse(svg.replace("http://www.w3.org/2000/svg", "").contains("http"), "an address");
        assertFalse(svg.contains("href"), "a link");
        assertFalse(svg.contains("<script"), "a script");
    }

    @Test
    void shouldLabelTheAxes() throws Exception
    {
        final List<String> texts = texts(parse(new LatencyPlot(List.of("host", "run")).add(summary("1m"))));
        assertTrue(texts.containsAll(List.of("0 %", "90 %", "99 %", "99.9 %")), texts::toString);
        assertTrue(texts.containsAll(List.of("100 ns", "1 µs")), texts::toString);
        assertEquals(List.of("1 ns", "10 ns", "1 µs", "100 µs", "10 ms", "1 s", "10 s"),
            List.of(0, 1, 3, 5, 7, 9, 10).stream().map(Chart::latency).toList());
    }

    @Test
    void shouldDrawTheServerSolidTheBaselineDashedAndTheHiccupsDotted() throws Exception
    {
        final Histogram hiccups = summary("1m").hiccupSum();
        final Document svg =
            parse(new LatencyPlot(List.of("host", "run")).add(summary("10k")).add(summary("1m")).addHiccups(hiccups));
        final NodeList lines = svg.getElementsByTagName("polyline");
        assertEquals(5, lines.getLength());
        final List<String> dashes = new ArrayList<>();
        for (int i = 0; i < lines.getLength(); i++)
        {
            dashes.add(((Element)lines.item(i)).getAttribute("stroke-dasharray"));
        }
        assertEquals(List.of("", "7 4", "", "7 4", "2 3"), dashes);
        final String colour = ((Element)lines.item(0)).getAttribute("stroke");
        assertEquals(colour, ((Element)lines.item(1)).getAttribute("stroke"));
        assertFalse(colour.equals(((Element)lines.item(2)).getAttribute("stroke")));
    }

    @Test
    void shouldDrawTheEmptyHandlerThinInTheColourOfItsRate() throws Exception
    {
        final List<Round> rounds = Collections.nCopies(9, Rounds.good());
        final Document svg = parse(
            new LatencyPlot(List.of("host", "run")).add(Rounds.withEmpty(summary("1m"), rounds)));
        final NodeList lines = svg.getElementsByTagName("polyline");
        assertEquals(3, lines.getLength());
        final Element server = (Element)lines.item(0);
        final Element empty = (Element)lines.item(2);
        assertEquals(server.getAttribute("stroke"), empty.getAttribute("stroke"));
        assertEquals("", empty.getAttribute("stroke-dasharray"));
        assertTrue(Double.parseDouble(empty.getAttribute("stroke-width")) <
            Double.parseDouble(server.getAttribute("stroke-width")) / 2);
        assertTrue(texts(svg).contains("server with the empty handler"), texts(svg)::toString);
    }

    @Test
    void shouldSayInTheLegendWhatIsNoResult() throws Exception
    {
        final Rate rate = new Rate(1_000_000);
        final List<Round> good = Collections.nCopies(9, Rounds.good());
        final List<Round> noisy = Collections.nCopies(9, Rounds.with(0.5, 2, 1.0));
        final List<Round> slow = Collections.nCopies(9, Rounds.with(0.0, 2, 0.5));
        final LatencyPlot plot = new LatencyPlot(List.of("host", "run"))
            .add(Rounds.summary(rate, noisy, noisy))
            .add(Rounds.summary(rate, slow, good))
            .add(Rounds.withEmpty(Rounds.summary(rate, slow, slow), noisy));
        final List<String> texts = texts(parse(plot));
        assertTrue(texts.containsAll(List.of("1M/s INVALID", "1M/s server SATURATED", "1M/s server, raw SATURATED",
            "empty INVALID")), texts::toString);
    }

    @Test
    void shouldEndALineWhereFewerThanTenSamplesLieBeyond() throws Exception
    {
        final Histogram thousand = LatencyRecorder.newHistogram();
        for (int i = 1; i <= 1_000; i++)
        {
            thousand.recordValue(i * 100L);
        }
        final Document svg = parse(new LatencyPlot(List.of("host", "run")).addHiccups(thousand));
        final String points = ((Element)svg.getElementsByTagName("polyline").item(0)).getAttribute("points").trim();
        final String last = points.substring(points.lastIndexOf(' ') + 1);
        // 99 % is two decades of two: the right edge.
        assertEquals(850.0, Double.parseDouble(last.split(",")[0]), 0.1);
    }

    @Test
    void shouldDrawWithoutAnySample() throws Exception
    {
        parse(new LatencyPlot(List.of("host", "run")).addHiccups(LatencyRecorder.newHistogram()));
    }

    @Test
    void shouldKeepLabelsApartAndInsideThePicture() throws Exception
    {
        final LatencyPlot plot = new LatencyPlot(List.of("host", "run"));
        final List<Round> noisy = Collections.nCopies(9, Rounds.with(0.5, 2, 1.0));
        final List<Round> slow = Collections.nCopies(9, Rounds.with(0.0, 2, 0.5));
        for (final String rate : "1k,2k,5k,10k,20k,50k,100k,200k,500k,1m,2m".split(","))
        {
            plot.add(summary(rate));
        }
        plot.add(Rounds.withEmpty(Rounds.summary(new Rate(5_000_000), slow, slow), noisy));
        final List<double[]> boxes = boxes(parse(plot));
        for (int i = 0; i < boxes.size(); i++)
        {
            final double[] a = boxes.get(i);
            assertTrue(a[0] >= 0 && a[2] <= 1_200 && a[1] >= 0 && a[3] <= 660, "text " + i + " is out of the picture");
            for (int j = 0; j < i; j++)
            {
                final double[] b = boxes.get(j);
                assertFalse(a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3], "texts " + j + " and " + i);
            }
        }
    }

    /** Left, top, right, bottom of the texts, taking a letter for six tenths as wide as high. */
    private static List<double[]> boxes(final Document svg)
    {
        final List<double[]> boxes = new ArrayList<>();
        final NodeList texts = svg.getElementsByTagName("text");
        for (int i = 0; i < texts.getLength(); i++)
        {
            final Element text = (Element)texts.item(i);
            if (text.hasAttribute("x"))
            {
                final double size = Double.parseDouble(text.getAttribute("font-size"));
                final double width = 0.6 * size * text.getTextContent().length();
                final double x = Double.parseDouble(text.getAttribute("x"));
                final double y = Double.parseDouble(text.getAttribute("y"));
                final String anchor = text.getAttribute("text-anchor");
                final double left = "end".equals(anchor) ? x - width : "middle".equals(anchor) ? x - width / 2 : x;
                boxes.add(new double[] {left, y - 0.8 * size, left + width, y + 0.2 * size});
            }
        }
        return boxes;
    }

    private static RateSummary summary(final String rate)
    {
        final List<Round> rounds = Collections.nCopies(9, Rounds.good());
        return Rounds.summary(Rate.parseList(rate).get(0), rounds, rounds);
    }

    private static Document parse(final LatencyPlot plot) throws Exception
    {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
            .parse(new ByteArrayInputStream(plot.svg().getBytes(StandardCharsets.UTF_8)));
    }

    private static List<String> texts(final Document svg)
    {
        final List<String> texts = new ArrayList<>();
        final NodeList nodes = svg.getElementsByTagName("text");
        for (int i = 0; i < nodes.getLength(); i++)
        {
            texts.add(nodes.item(i).getTextContent());
        }
        return texts;
    }
}
