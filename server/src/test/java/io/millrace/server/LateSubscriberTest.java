package io.millrace.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Flows that subscribe to a feed late, that are too slow, or that leave. */
class LateSubscriberTest extends ControlFixture
{
    private static final int KEPT = 16;

    private final Feed<Tick> feed = new Feed<>("ticks");
    private volatile boolean refuses;

    private void launchFeed(final ThreadingMode mode)
    {
        server = Server.launch(context(mode).stallTimeoutNs(0).flow("f", f -> f.from(source).to("a", feed)));
    }

    private void join(final Recorder recorder)
    {
        server.control().addFlow(recorder.name, f -> f.from(
            Tick::new, 64, feed.<Tick>subscribe(Tick::copy).withKept()).onFull(BackPressure.BLOCK)
            .to("to-" + recorder.name, recorder));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldGiveALateSubscriberTheLastEvents(final ThreadingMode mode)
    {
        feed.keepLast(KEPT, Tick::new, Tick::copy);
        launchFeed(mode);
        final Recorder nothing = new Recorder("nothing");
        join(nothing);
        publish(0, 3);
        await("handled", () -> nothing.seen.size() == 3);
        final Recorder three = new Recorder("three");
        join(three);
        publish(3, 97);
        await("handled", () -> nothing.seen.size() == 100 && three.seen.size() == 100);
        final Recorder sixteen = new Recorder("sixteen");
        join(sixteen);
        publish(100, 50);
        await("handled", () -> sixteen.seen.size() == KEPT + 50);
        await("handled", () -> nothing.seen.size() == 150 && three.seen.size() == 150);
        assertEquals(values(0, 150), nothing.seen);
        assertEquals(values(0, 150), three.seen);
        assertEquals(values(100 - KEPT, KEPT + 50), sixteen.seen);
        assertEquals(KEPT + 50, server.counters().value("sixteen.offered"));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldGiveALateSubscriberTheLastEventOfEachKey(final ThreadingMode mode)
    {
        feed.keepLastByKey(4, event -> event.value % 5, Tick::new, Tick::copy);
        launchFeed(mode);
        publish(0, 52);
        await("handled", () -> server.counters().value("a.handled") == 52);
        final Recorder late = new Recorder("late");
        join(late);
        publish(52, 1);
        await("handled", () -> late.seen.size() == 5);
        assertEquals(List.of(50L, 51L, 47L, 48L, 52L), late.seen);
        assertEquals(10, server.counters().value("a.unkept"));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldKeepTheLastEventOfEachKeyAlsoAfterARestart(final ThreadingMode mode)
    {
        feed.keepLastByKey(4, event -> event.value % 4, Tick::new, Tick::copy);
        launchFeed(mode);
        for (int round = 0; round < 2; round++)
        {
            publish(round * 10L, 10);
            await("handled", () -> server.counters().value("a.handled") == 10);
            final Recorder late = new Recorder("late");
            join(late);
            await("handled", () -> late.seen.size() == 4);
            assertEquals(values(round * 10L + 6, 4), late.seen.stream().sorted().toList());
            server.control().removeFlow("late");
            server.stop();
            server.start();
        }
    }

    /** The third kept event cannot be copied: the flow gets none, and the server is as before. */
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldChangeNothingWhenAKeptEventCannotBeCopied(final ThreadingMode mode)
    {
        feed.keepLast(KEPT, Tick::new, Tick::copy);
        launchFeed(mode);
        publish(0, 8);
        await("handled", () -> server.counters().value("a.handled") == 8);
        final Set<String> counters = server.counters().names();
        final Set<String> agents = server.agents().keySet();
        final Recorder late = new Recorder("late");
        final Function<Flow.Start, Flow<?>> flow = f -> f.from(Tick::new, 64, feed.<Tick>subscribe((from, into) ->
        {
            if (from.value == 2 && refuses)
            {
                throw new IllegalStateException("not " + from.value);
            }
            Tick.copy(from, into);
        }).withKept()).to("to-late", late);
        refuses = true;
        for (int i = 0; i < 3; i++)
        {
            final Throwable refused = assertThrows(Exception.class, () -> server.control().addFlow("late", flow));
            assertTrue(refused.toString().contains("not 2") || String.valueOf(refused.getCause()).contains("not 2"),
                refused::toString);
            assertEquals(List.of(), feed.subscribers());
            assertEquals(counters, server.counters().names());
            assertEquals(agents, server.agents().keySet());
        }
        refuses = false;
        late.seen.clear();
        server.control().addFlow("late", flow);
        publish(8, 4);
        await("handled", () -> late.seen.size() == 12);
        assertEquals(values(0, 12), late.seen);
        errors.clear();
    }

    /** The kept copies are of a type without an origin; the events of the late flow have one. */
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldGiveKeptEventsTheirSequenceInTheFeed(final ThreadingMode mode)
    {
        feed.keepLast(KEPT, Tick::new, Tick::copy);
        launchFeed(mode);
        publish(100, 20);
        await("handled", () -> server.counters().value("a.handled") == 20);
        final List<Long> sequences = Collections.synchronizedList(new ArrayList<>());
        server.control().addFlow("late", f -> f.from(FeedTest.Quote::new, 64,
            feed.<FeedTest.Quote>subscribe((from, into) -> into.price = from.value).withKept())
            .to("to-late", (event, sequence, endOfBatch) -> sequences.add(event.feedSequence())));
        publish(120, 1);
        await("handled", () -> sequences.size() == KEPT + 1);
        assertEquals(values(20 - KEPT, KEPT + 1), sequences);
    }

    /** While the feed runs: each flow sees an unbroken run of events from the oldest kept one on. */
    @ParameterizedTest
    @EnumSource(value = ThreadingMode.class, names = {"SHARED", "DEDICATED"})
    void shouldJoinAndLeaveARunningFeedWithoutAGap(final ThreadingMode mode) throws InterruptedException
    {
        feed.keepLast(KEPT, Tick::new, Tick::copy);
        launchFeed(mode);
        final Thread publisher = new Thread(() -> publish(0, 60_000), "publisher");
        publisher.start();
        final List<Recorder> all = new ArrayList<>();
        for (int i = 0; i < 20; i++)
        {
            final Recorder late = new Recorder("late");
            all.add(late);
            join(late);
            final long from = server.counters().value("a.handled");
            Await.until("it runs", () -> server.counters().value("a.handled") >= Math.min(60_000, from + 500));
            server.control().removeFlow("late");
        }
        Await.ended(publisher);
        for (final Recorder late : all)
        {
            assertTrue(late.seen.size() >= KEPT || late.seen.get(0) == 0, "" + late.seen.size());
            assertEquals(values(late.seen.get(0), late.seen.size()), late.seen);
        }
        assertEquals(List.of(), feed.subscribers());
    }

    private void launchSlow(final ThreadingMode mode, final Recorder slow, final boolean disconnects)
    {
        server = Server.launch(context(mode).stallTimeoutNs(0).flow("f", f -> f.from(source).to("a", feed))
            .flow("slow", f ->
            {
                final Flow<Tick> flow = f.from(Tick::new, 256, feed.subscribe(Tick::copy))
                    .onFull(disconnects ? BackPressure.BLOCK : BackPressure.DROP_NEWEST);
                return (disconnects ? flow.disconnectAt(256) : flow.alarmAt(100)).to("s", slow);
            }));
    }

    private void publishSlowly(final long first, final long count)
    {
        for (long value = first; value < first + count; value++)
        {
            publish(value, 1);
            final long handled = value + 1;
            await("at the feed", () -> server.counters().value("a.handled") >= handled);
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldAlarmIfASubscriberIsSlow(final ThreadingMode mode)
    {
        final Recorder slow = new Recorder("slow");
        launchSlow(mode, slow, false);
        publishSlowly(0, 50);
        // Announced too: a stage that is paused before it has announced its events has a longer backlog.
        await("handled", () -> slow.seen.size() == 50 && server.counters().value("slow.backlog") == 0);
        server.control().pause("s");
        publishSlowly(50, 100);
        assertTrue(server.health().reasons().stream().noneMatch(each -> each.contains("slow")));
        publishSlowly(150, 200);
        assertTrue(server.health().reasons().contains("flow 'slow' is slow"), server.health().toString());
        assertEquals(Health.Status.DEGRADED, server.health().status());
        assertEquals(1, errors.size());
        assertTrue(errors.get(0).getMessage().contains("events of feed 'ticks' wait, the limit is 100"),
            errors.get(0).getMessage());
        errors.clear();
        final long dropped = server.counters().value("slow.dropped");
        // At the pause the stage may not have announced its last event.
        assertTrue(dropped >= 300 - 256 && dropped < 300 - 256 + 32, "" + dropped);
        server.control().resume("s");
        await("handled", () -> slow.seen.size() == 350 - dropped);
        await("not slow although the feed is silent", () -> server.health().status() == Health.Status.UP);
        publishSlowly(350, 50);
        assertEquals(Health.Status.UP, server.health().status(), server.health().toString());
        // Another backlog than at the first alarm.
        server.control().pause("s");
        publishSlowly(400, 150);
        assertEquals(1, errors.size());
        assertEquals(List.of(2L), server.errors().stream().map(DistinctError::count).toList());
        errors.clear();
    }

    /** BLOCK would stop the publisher; the limit frees it. */
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldDisconnectASlowSubscriber(final ThreadingMode mode)
    {
        final Recorder slow = new Recorder("slow");
        launchSlow(mode, slow, true);
        server.control().pause("s");
        publish(0, 1_000);
        await("at the feed", () -> server.counters().value("a.handled") == 1_000);
        assertTrue(server.health().reasons().contains("flow 'slow' is disconnected from feed 'ticks'"),
            server.health().toString());
        assertEquals(1, errors.size());
        errors.clear();
        final long missed = server.counters().value("slow.disconnected");
        assertEquals(1_000, server.counters().value("slow.offered"));
        assertEquals(256, server.counters().value("slow.published"));
        assertEquals(1_000 - 256, missed);
        server.control().resume("s");
        await("handled", () -> slow.seen.size() == 256);
        assertEquals(values(0, 256), slow.seen);
        server.control().removeFlow("slow");
        assertEquals(Health.Status.UP, server.health().status());
    }

    /** Under BLOCK nobody waits for a flow whose agent has ended. */
    @Test
    void shouldRejectForAFlowWhoseAgentHasEnded()
    {
        final Recorder good = new Recorder("good");
        server = Server.launch(context(ThreadingMode.DEDICATED).stallTimeoutNs(0)
            .flow("f", f -> f.from(source).to("a", feed))
            .flow("bad", f -> f.from(Tick::new, 64, feed.subscribe(Tick::copy)).onFull(BackPressure.BLOCK)
                .to("b", (event, sequence, end) ->
                {
                    throw new IllegalStateException("bad");
                }))
            .agent("b", agent -> agent.hosts("b").onError(ErrorPolicy.STOP_AGENT))
            .flow("good", f -> f.from(Tick::new, 64, feed.subscribe(Tick::copy)).onFull(BackPressure.BLOCK)
                .to("g", good)));
        publish(0, 1_000);
        await("handled", () -> good.seen.size() == 1_000);
        assertEquals(values(0, 1_000), good.seen);
        assertEquals(1_000, server.counters().value("bad.offered"));
        assertEquals(1_000, server.counters().value("bad.published") + server.counters().value("bad.rejected"));
        assertTrue(server.counters().value("bad.rejected") > 0);
        server.close();
        errors.clear();
    }

    /** Fills half of an event, then fails. */
    private static void copyUnlessOdd(final Tick from, final Tick into)
    {
        into.value = from.value;
        if (from.value % 2 != 0)
        {
            throw new IllegalStateException("odd");
        }
        into.key = from.value;
    }

    private void launchSkipping(final ThreadingMode mode)
    {
        server = Server.launch(context(mode).onError(ErrorPolicy.SKIP_AND_RECORD)
            .deadLetters((stage, sequence, event, cause) -> log.add("dead " + sequence))
            .flow("f", f -> f.from(source).to("a", feed)));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldKeepNoEventWhoseCopyFailed(final ThreadingMode mode)
    {
        feed.keepLast(3, Tick::new, LateSubscriberTest::copyUnlessOdd);
        launchSkipping(mode);
        publish(0, 8);
        await("handled", () -> server.counters().value("a.handled") == 8);
        final Recorder late = new Recorder("late");
        join(late);
        await("handled", () -> late.seen.size() == 3);
        assertEquals(List.of(2L, 4L, 6L), late.seen);
        assertEquals(List.of("dead 1", "dead 3", "dead 5", "dead 7", "late start"), log);
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldKeepTheLastWholeEventOfEachKey(final ThreadingMode mode)
    {
        feed.keepLastByKey(2, event -> event.value / 4, Tick::new, LateSubscriberTest::copyUnlessOdd);
        launchSkipping(mode);
        // The first event of key 1 fails: it takes no place.
        publish(0, 4);
        publish(5, 1);
        publish(8, 3);
        publish(6, 1);
        await("handled", () -> server.counters().value("a.handled") == 9);
        final Recorder late = new Recorder("late");
        join(late);
        await("handled", () -> late.seen.size() == 2);
        assertEquals(List.of(2L, 10L), late.seen);
        assertEquals(1, server.counters().value("a.unkept"));
    }
}
