package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The flows of a server as text and as a picture. */
class FlowGraphTest
{
    private static final class Check implements EventHandler<Tick>
    {
        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
        }
    }

    private static final class Match implements StageHandler<Tick>
    {
        @Override
        public void onStart(final HandlerContext context)
        {
            context.publication("executions", Tick.class);
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
        }
    }

    private static final class Nothing implements EventSource<Tick>
    {
        @Override
        public int poll(final EventPublication<Tick> out)
        {
            return 0;
        }
    }

    private static Server.Context context()
    {
        return new Server.Context().stallTimeoutNs(0)
            .flow("orders", f -> f.from(new InVmSource<>(Tick::new, 64)).onFull(BackPressure.DROP_NEWEST)
                .to("check", new Check()).to("count", (event, sequence, endOfBatch) ->
                {
                }).to("match", new Match(), "check"))
            .flow("executions", f -> f.from(new InVmSource<>(Tick::new, 16)).to("send", new Check()))
            .flow("ticks", f -> f.from(Tick::new, 8, new Nothing()).through(Pipelines.direct())
                .to("tick", new Check()));
    }

    @Test
    void shouldDescribeSourcesStagesAndAgents()
    {
        try (Server server = Server.launch(context().threadingMode(ThreadingMode.SHARED)))
        {
            assertEquals("flow orders: InVmSource of Tick through RingPipeline(64), DROP_NEWEST\n" +
                "  stage check: Check on agent shared\n" +
                "  stage count: FlowGraphTest lambda on agent shared\n" +
                "  stage match: Match on agent shared after check\n" +
                "flow executions: InVmSource of Tick through RingPipeline(16), FAIL\n" +
                "  published by match\n" +
                "  stage send: Check on agent shared\n" +
                "flow ticks: Nothing of Tick on agent shared through DirectPipeline, FAIL\n" +
                "  stage tick: Check on agent shared\n", server.graph().toString());
            assertEquals(server.graph().toString(), server.admin().execute("graph"));
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldDrawAPicture(final ThreadingMode mode) throws Exception
    {
        try (Server server = Server.launch(context().threadingMode(mode)))
        {
            final String svg = server.graph().toSvg();
            final Document parsed =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
            assertEquals("svg", parsed.getDocumentElement().getTagName());
            for (final String shown : List.of("flow orders", "DROP_NEWEST", ">match<", ">Match<", "stroke-dasharray",
                mode == ThreadingMode.DEDICATED ? "agent match" : "agent shared"))
            {
                assertTrue(svg.contains(shown), () -> shown + " is not in " + svg);
            }
            // Three sources, three pipelines, five stages.
            assertEquals(11, parsed.getElementsByTagName("g").getLength());
            server.control().removeFlow("ticks");
            assertFalse(server.graph().toSvg().contains("flow ticks"));
        }
    }

    @Test
    void shouldShowStagesThatJoinARunningServer()
    {
        try (Server server = Server.launch(context().threadingMode(ThreadingMode.INVOKER)))
        {
            server.control().addStage("orders", "late", "shared", new Check(), "match");
            assertTrue(server.graph().toString().contains("  stage late: Check on agent shared after match\n"));
        }
    }

    @Test
    void shouldShowTheFlowsOfAFeed()
    {
        final Feed<Tick> feed = new Feed<>("ticks");
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("in", f -> f.from(new InVmSource<>(Tick::new, 16)).to("feed", feed))
            .flow("out", f -> f.from(Tick::new, 16, feed.subscribe(Tick::copy)).to("check", new Check()))))
        {
            final String text = server.graph().toString();
            assertTrue(text.contains("  stage feed: Feed on agent shared\n"), text);
            assertTrue(text.contains("flow out: feeds of Tick through RingPipeline(16), FAIL\n" +
                "  published by feed\n"), text);
            assertTrue(server.graph().toSvg().contains("stroke-dasharray"));
        }
    }
}
