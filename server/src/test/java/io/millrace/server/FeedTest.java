package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Feeds and the flows that subscribe to them: ways of the events, and their origin. */
class FeedTest extends ControlFixture
{
    /** An event with an origin. */
    static final class Quote extends FeedEvent
    {
        long price;
    }

    private final Feed<Tick> feed = new Feed<>("ticks");

    private static void quote(final Tick from, final Quote into)
    {
        into.price = from.value;
    }

    private static void requote(final Quote from, final Quote into)
    {
        into.price = from.price;
    }

    private static void sum(final Quote from, final Tick into)
    {
        into.value = from.price;
        into.key = from.feedSequence();
    }

    private static EventHandler<Quote> origins(final List<String> seen)
    {
        return (event, sequence, end) ->
            seen.add(event.price + " " + event.feed() + " " + event.feedSequence() + " " + event.eventTimeNs());
    }

    private Server launch(final Server.Context context)
    {
        server = Server.launch(context);
        return server;
    }

    private Server.Context feeding(final ThreadingMode mode)
    {
        return context(mode).flow("f", f -> f.from(source).to("a", feed));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldBroadcastToThreeFlows(final ThreadingMode mode)
    {
        final List<Recorder> all = List.of(new Recorder("x"), new Recorder("y"), new Recorder("z"));
        final Server.Context context = feeding(mode);
        all.forEach(each -> context.flow(each.name, f -> f.from(Tick::new, 64, feed.subscribe(Tick::copy))
            .onFull(BackPressure.BLOCK).to("to-" + each.name, each)));
        launch(context);
        publish(0, 500);
        await("handled", () -> all.stream().allMatch(each -> each.seen.size() == 500));
        all.forEach(each -> assertEquals(values(0, 500), each.seen));
        assertEquals(0, server.counters().value("a.unrouted"));
    }

    /** The handler cannot tell the two flows apart, except by the origin in the event. */
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldMergeTwoFeedsOfDifferentTypesIntoOneHandler(final ThreadingMode mode)
    {
        final List<String> seen = Collections.synchronizedList(new ArrayList<>());
        final InVmSource<Quote> quotes = new InVmSource<>(Quote::new, 64);
        final Feed<Quote> other = new Feed<>("quotes");
        feed.eventTime(event -> event.value * 10);
        launch(feeding(mode).flow("q", f -> f.from(quotes).to("b", other))
            .flow("both", f -> f.from(Quote::new, 64, feed.subscribe(FeedTest::quote),
                other.subscribe(FeedTest::requote)).onFull(BackPressure.BLOCK).to("c", origins(seen))));
        for (long i = 0; i < 300; i++)
        {
            publish(i, 1);
            final Quote quote = claimed(quotes);
            quote.price = -i;
            quote.eventTimeNs(i + 7);
            quotes.publish(quote);
        }
        await("handled", () -> seen.size() == 600);
        assertEquals(LongStream.range(0, 300).mapToObj(i -> i + " ticks " + i + " " + i * 10)
            .collect(Collectors.toList()),
            seen.stream().filter(each -> each.contains("ticks")).collect(Collectors.toList()));
        assertEquals(LongStream.range(0, 300).mapToObj(i -> -i + " quotes " + i + " " + (i + 7))
            .collect(Collectors.toList()),
            seen.stream().filter(each -> each.contains("quotes")).collect(Collectors.toList()));
        assertEquals(600, server.counters().value("both.offered"));
        assertTrue(server.graph().toString().contains("flow both: feeds of "),
            server.graph().toString());
        assertNull(new Quote().feed());
    }

    private <E extends BasePoolAware> E claimed(final InVmSource<E> from)
    {
        E event = from.claim();
        while (event == null)
        {
            work();
            event = from.claim();
        }
        return event;
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldRouteByATable(final ThreadingMode mode)
    {
        final Feed<Tick> routed = new Feed<>("routed", 3, event -> (int)(event.value % 5));
        final Recorder zero = new Recorder("zero");
        final Recorder two = new Recorder("two");
        final Recorder all = new Recorder("all");
        launch(context(mode).flow("f", f -> f.from(source).to("a", routed))
            .flow("zero", f -> f.from(Tick::new, 64, routed.subscribe(0, Tick::copy))
                .onFull(BackPressure.BLOCK).to("z", zero))
            .flow("two", f -> f.from(Tick::new, 64, routed.subscribe(2, Tick::copy))
                .onFull(BackPressure.BLOCK).to("t", two)));
        publish(0, 100);
        await("handled", () -> server.counters().value("a.handled") == 100 && zero.seen.size() + two.seen.size() == 40);
        assertEquals(20, zero.seen.stream().filter(value -> value % 5 == 0).count());
        assertEquals(20, two.seen.stream().filter(value -> value % 5 == 2).count());
        assertEquals(60, server.counters().value("a.unrouted"));
        server.control().addFlow("all", f -> f.from(Tick::new, 128, routed.subscribe(Tick::copy)).to("l", all));
        publish(100, 5);
        await("handled", () -> all.seen.size() == 3);
        assertEquals(List.of(100L, 101L, 102L), all.seen);
    }

    /** Ring, feed, transformation, ring, feed, transformation, no queue: the origin is that of the first feed. */
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldPipeThroughSeveralHandlers(final ThreadingMode mode)
    {
        final Feed<Quote> second = new Feed<>("second");
        final List<String> between = Collections.synchronizedList(new ArrayList<>());
        final List<Long> origins = Collections.synchronizedList(new ArrayList<>());
        final Recorder last = new Recorder("last");
        launch(context(mode)
            .flow("f", f -> f.from(source).to("double", (event, sequence, end) -> event.value *= 2)
                .to("a", feed, "double"))
            .flow("g", f -> f.from(Quote::new, 64, feed.subscribe(FeedTest::quote)).onFull(BackPressure.BLOCK)
                .to("b", origins(between)).to("c", second, "b"))
            .flow("h", f -> f.from(Tick::new, 64, second.subscribe(FeedTest::sum)).onFull(BackPressure.BLOCK)
                .through(Pipelines.direct()).to("d", (event, sequence, end) -> origins.add(event.key))
                .to("e", last, "d")));
        publish(0, 400);
        await("handled", () -> last.seen.size() == 400);
        assertEquals(LongStream.range(0, 400).mapToObj(i -> 2 * i).collect(Collectors.toList()), last.seen);
        assertEquals(values(0, 400), origins);
        assertEquals("798 ticks 399 0", between.get(399));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldLimitTheBatchOfAFlow(final ThreadingMode mode)
    {
        final List<Integer> batches = Collections.synchronizedList(new ArrayList<>());
        final int[] size = new int[1];
        launch(feeding(mode).flow("g", f -> f.from(Tick::new, 64, feed.subscribe(Tick::copy)).pollLimit(3)
            .onFull(BackPressure.BLOCK).to("b", (event, sequence, end) ->
            {
                size[0]++;
                if (end)
                {
                    batches.add(size[0]);
                    size[0] = 0;
                }
            })));
        server.control().pause("b");
        publish(0, 64);
        await("waiting", () -> server.counters().value("g.backlog") == 64);
        server.control().resume("b");
        await("handled", () -> List.copyOf(batches).stream().mapToInt(each -> each).sum() == 64);
        assertTrue(batches.stream().allMatch(each -> each <= 3), batches.toString());
        assertEquals(3, batches.get(0));
    }

    /** SKIP_AND_RECORD: the other subscriptions get the event. */
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldLoseAnEventOnlyWhereItsCopierFails(final ThreadingMode mode)
    {
        final Recorder bad = new Recorder("bad");
        final Recorder good = new Recorder("good");
        final IllegalStateException thrown = new IllegalStateException("not 7");
        launch(feeding(mode).onError(ErrorPolicy.SKIP_AND_RECORD).deadLetters((stage, sequence, event, cause) ->
            log.add(stage + " " + sequence + " " + cause.getMessage()))
            .flow("bad", f -> f.from(Tick::new, 64, feed.<Tick>subscribe((from, into) ->
            {
                Tick.copy(from, into);
                if (from.value == 7)
                {
                    throw thrown;
                }
            })).onFull(BackPressure.BLOCK).to("b", bad))
            .flow("good", f -> f.from(Tick::new, 64, feed.subscribe(Tick::copy)).onFull(BackPressure.BLOCK)
                .to("g", good)));
        publish(0, 200);
        await("handled", () -> good.seen.size() == 200 && server.counters().value("b.handled") == 199);
        assertEquals(values(0, 200), good.seen);
        assertTrue(log.contains("a 7 not 7"), log.toString());
        assertEquals(1, server.counters().value("bad.copyErrors"));
        assertEquals(200, server.counters().value("bad.offered"));
        assertEquals(199, bad.seen.size());
        errors.clear();
    }

    @Test
    void shouldReportTheFailureOfTheFirstCopier()
    {
        final List<Throwable> causes = new ArrayList<>();
        final List<IllegalStateException> planned =
            List.of(new IllegalStateException("g"), new IllegalStateException("h"), new IllegalStateException("kept"));
        feed.keepLast(1, Tick::new, (from, into) ->
        {
            throw planned.get(2);
        });
        launch(feeding(ThreadingMode.INVOKER).onError(ErrorPolicy.SKIP_AND_RECORD)
            .deadLetters((stage, sequence, event, cause) -> causes.add(cause))
            .flow("g", f -> f.from(Tick::new, 64, feed.<Tick>subscribe((from, into) ->
            {
                throw planned.get(0);
            })).to("b", new Recorder("b")))
            .flow("h", f -> f.from(Tick::new, 64, feed.<Tick>subscribe((from, into) ->
            {
                throw planned.get(1);
            })).to("c", new Recorder("c"))));
        publish(0, 1);
        await("failed", () -> causes.size() == 1);
        assertSame(planned.get(0), causes.get(0));
    }

    /** The flow closes between the claim and the publish. */
    @Test
    void shouldReleaseACopyThatItsFlowDoesNotTakeAnyMore()
    {
        final List<FeedSubscription<Tick, Tick>> closing = new ArrayList<>();
        closing.add(feed.subscribe((from, into) ->
        {
            Tick.copy(from, into);
            if (from.value == 5)
            {
                closing.get(0).flow.closePublication();
            }
        }));
        launch(feeding(ThreadingMode.INVOKER).flow("g", f -> f.from(Tick::new, 64, closing.get(0))
            .through(Pipelines.disruptor(64)).onFull(BackPressure.FAIL).to("b", new Recorder("b"))));
        publish(0, 10);
        await("handled", () -> server.counters().value("a.handled") == 10 && server.counters().value("b.handled") == 5);
        assertEquals(64, server.counters().value("g.pool.available"));
        assertEquals(10, server.counters().value("g.offered"));
        assertEquals(5, server.counters().value("g.rejected"));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldSubscribeAgainAfterARestart(final ThreadingMode mode)
    {
        final Recorder seen = new Recorder("seen");
        feed.keepLast(8, Tick::new, Tick::copy);
        launch(feeding(mode)
            .flow("g", f -> f.from(Tick::new, 64, feed.subscribe(Tick::copy)).onFull(BackPressure.BLOCK)
                .to("b", seen)));
        for (int round = 0; round < 3; round++)
        {
            seen.seen.clear();
            publish(0, 100);
            await("handled", () -> seen.seen.size() == 100);
            final Recorder late = new Recorder("late");
            server.control().addFlow("late", f -> f.from(
                Tick::new, 64, feed.<Tick>subscribe(Tick::copy).withKept()).to("l", late));
            await("handled", () -> late.seen.size() == 8);
            assertEquals(List.of("g", "late"), feed.subscribers());
            assertEquals(100, server.counters().value("g.offered"));
            server.stop();
            server.start();
            assertEquals(0, server.counters().value("g.offered"));
            assertEquals(100L * (round + 1), server.counters().total("g.offered"));
            assertEquals(List.of("g"), feed.subscribers());
        }
    }

    @Test
    void shouldCountFromZeroAfterARestart()
    {
        final Feed<Tick> routed = new Feed<Tick>("routed", 2, event -> (int)event.value % 2)
            .keepLastByKey(1, event -> event.value, Tick::new, Tick::copy);
        launch(context(ThreadingMode.INVOKER).onError(ErrorPolicy.SKIP_AND_RECORD)
            .deadLetters((stage, sequence, event, cause) -> log.add(stage + " " + sequence))
            .flow("f", f -> f.from(source).to("a", routed))
            .flow("g", f -> f.from(Tick::new, 8, routed.<Tick>subscribe(0, (from, into) ->
            {
                throw new IllegalStateException("not " + from.value);
            })).onFull(BackPressure.BLOCK).to("b", Tick.ignored())));
        final List<String> names = List.of("g.copyErrors", "a.unrouted", "a.unkept");
        // More than the flow holds: a copy that failed gives its event back.
        publish(0, 40);
        await("handled", () -> server.counters().value("a.handled") == 40);
        assertEquals(List.of(20L, 20L, 39L), names.stream().map(server.counters()::value).toList());
        server.stop();
        server.start();
        assertEquals(List.of(0L, 0L, 0L), names.stream().map(server.counters()::value).toList());
        errors.clear();
    }

    @Test
    void shouldRefuseWhatCannotWork()
    {
        final Feed<Tick> lonely = new Feed<>("lonely");
        feed.keepLast(64, Tick::new, Tick::copy);
        final FeedSubscription<Tick, Tick> kept = feed.<Tick>subscribe(Tick::copy).withKept();
        refused("routes 0 is not in 1..1024", () -> new Feed<Tick>("x", 0, event -> 0));
        assertEquals("routeOf",
            assertThrows(NullPointerException.class, () -> new Feed<Tick>("x", 3, null)).getMessage());
        refused("route 1 of feed 'ticks' is not in 0..0", () -> feed.subscribe(1, Tick::copy));
        refused("number of kept events 0 is not in 1..", () -> lonely.keepLast(0, Tick::new, Tick::copy));
        refused("pollLimit 0 of flow 'g' is not in 1..", () -> conclude(f -> flow(f, feed).pollLimit(0)));
        refused("which is no handler of an earlier flow: those are [ticks]", () -> conclude(f -> flow(f, lonely)));
        refused("takes 32 events, but feed 'ticks' keeps 64",
            () -> conclude(f -> f.from(Tick::new, 32, kept).to("b", Tick.ignored())));
        refused("belongs to flow 'g' already",
            () -> conclude(f -> f.from(Tick::new, 32, kept).to("b", Tick.ignored())));
        refused("the limit 65 of the backlog of flow 'g' is not in 1..64",
            () -> conclude(f -> flow(f, feed).alarmAt(65)));
        refused("the limit 0 of the backlog", () -> conclude(f -> flow(f, feed).disconnectAt(0)));
        refused("the limit -1 of the backlog", () -> conclude(f -> flow(f, feed).disconnectAt(-1)));
        refused("needs a feed", () -> conclude(f -> f.from(new InVmSource<>(Tick::new, 8)).alarmAt(1)
            .to("b", Tick.ignored())));
        refused("has no source: give it a feed", () -> conclude(f -> f.<Tick>from(Tick::new, 8)));
        refused("BLOCK of flow 'g' has a feed, so it needs ring() or direct(), not SPSC(8)",
            () -> conclude(f -> flow(f, feed).through(Pipelines.spsc(8)).onFull(BackPressure.BLOCK)));
        refused("has feeds on several agents, which publish to it: through a ring or a disruptor, not through SPSC",
            () -> feeding(ThreadingMode.DEDICATED)
                .flow("h", f -> f.from(new InVmSource<>(Tick::new, 8)).to("l", lonely))
                .flow("g", f -> f.from(Tick::new, 8, feed.subscribe(Tick::copy), lonely.subscribe(Tick::copy))
                    .through(Pipelines.spsc(8)).to("b", Tick.ignored())).conclude());
        refused("' is a feed: place it on an agent that does not retry",
            () -> feeding(ThreadingMode.SHARED).agent("x", a -> a.hosts("a").retry(1, 1_000, 1_000)).conclude());
        refused("is throttled: it needs a queue, not DIRECT", () -> context(ThreadingMode.SHARED)
            .flow("f", f -> f.from(source).through(Pipelines.direct()).to("a", feed)).conclude());
    }

    private static Flow<Tick> flow(final Flow.Start start, final Feed<Tick> from)
    {
        return start.from(Tick::new, 64, from.subscribe(Tick::copy)).to("b", Tick.ignored());
    }

    private void conclude(final Function<Flow.Start, Flow<?>> definition)
    {
        feeding(ThreadingMode.SHARED).flow("g", definition).conclude();
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldRefuseToRemoveAFeedWithSubscriptions(final ThreadingMode mode)
    {
        final Recorder first = new Recorder("first");
        launch(context(mode).flow("e", f -> f.from(new InVmSource<>(Tick::new, 8)).to("z", Tick.ignored()))
            .flow("f", f -> f.from(source).to("a0", first).to("a", feed))
            .flow("g", f -> flow(f, feed)));
        refused("feed 'ticks' has subscriptions of flows [g]", () -> server.control().removeFlow("f"));
        refused("feed 'ticks' has subscriptions of flows [g]", () -> server.control().removeStage("a"));
        refused("a feed and its subscriptions belong together",
            () -> server.control().replaceHandler("a", new Feed<Tick>("other")));
        server.control().removeFlow("g");
        server.control().removeStage("a");
        publish(0, 100);
        await("handled", () -> first.seen.size() == 100);
    }
}
