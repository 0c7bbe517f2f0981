package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPool;
import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Random changes of a server on the test's thread: flows of every policy subscribe to a feed and leave, parts are
 * paused, handlers and the polled source are replaced, copiers, handlers, sources and dead letters fail, the server
 * starts again. After each change every event is accounted for, and at rest every pool is full. The message of a
 * failure has the seed: {@code -Dseed=N} repeats it.
 */
final class FeedChangesPropertyTest
{
    private static final int QUEUE = 16;
    private static final int KEYS = 4;
    private static final int ROUTES = 2;
    private static final int MOST_FLOWS = 5;

    private final List<String> log = new ArrayList<>();
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, QUEUE);
    private final InVmSource<Tick> letters = InVmSource.shared(Tick::new, 4);
    private final Feed<Tick> feed = new Feed<Tick>("feed", ROUTES, event -> (int)(event.value & 1))
        .keepLast(3, Tick::new, Tick::copy);
    private final Feed<Tick> polledFeed = new Feed<Tick>("polledFeed", ROUTES, event -> (int)(event.value & 1))
        .keepLast(3, Tick::new, Tick::copy);
    private final Map<String, Tally> tallies = new TreeMap<>();
    private final List<String> paused = new ArrayList<>();
    private final DeadLetterSink<Tick> sink = new DeadLetterSink<>(letters, this::letter);
    private Random random;
    private Server server;
    private int flows;
    private long accepted;
    private long polled;
    private long lettersHandled;
    private long lostBefore;
    private boolean fails;

    /** What the stage of a subscribing flow got, also from its handlers before. */
    private final class Tally
    {
        private long handled;

        EventHandler<Tick> handler()
        {
            return (event, sequence, endOfBatch) ->
            {
                handled++;
                failSometimes();
            };
        }
    }

    /** Publishes now and then; throws sometimes. */
    private final class Polled implements EventSource<Tick>
    {
        private final ClaimedEvent<Tick> claimed = new ClaimedEvent<>();

        @Override
        public int poll(final EventPublication<Tick> out)
        {
            if (!claimed.publish(out) || random.nextBoolean())
            {
                return 0;
            }
            final Tick event = claimed.claim(out);
            if (event == null)
            {
                return 0;
            }
            failSometimes();
            event.value = polled++;
            claimed.filled();
            claimed.publish(out);
            return 1;
        }

        @Override
        public void onClose()
        {
            polled -= claimed.release() ? 1 : 0;
        }
    }

    private void failSometimes()
    {
        if (fails && random.nextInt(12) == 0)
        {
            throw new IllegalStateException("planned");
        }
    }

    private void letter(
        final String stage,
        final long sequence,
        final BasePoolAware event,
        final Throwable cause,
        final Tick into)
    {
        failSometimes();
        into.value = sequence;
    }

    private void begin()
    {
        server = Server.create(new Server.Context().threadingMode(ThreadingMode.INVOKER).errorHandler(errors::add)
            .onError(ErrorPolicy.SKIP_AND_RECORD).deadLetters(sink)
            .flow("in", f -> f.from(source).to("check", (event, sequence, end) -> failSometimes())
                .to("feed", feed, "check"))
            .flow("polled", f -> f.from(Tick::new, QUEUE, new Polled()).to("polledFeed", polledFeed))
            .flow("dead", f -> f.from(letters).to("letters", (event, sequence, end) -> lettersHandled++)));
        server.start();
    }

    private FeedSubscription<Tick, Tick> subscription(final Feed<Tick> of)
    {
        final Feed.Copier<Tick, Tick> copier = (from, into) ->
        {
            Tick.copy(from, into);
            failSometimes();
        };
        final int route = random.nextInt(ROUTES + 1);
        final FeedSubscription<Tick, Tick> subscription =
            route == ROUTES ? of.subscribe(copier) : of.subscribe(route, copier);
        return random.nextBoolean() ? subscription.withKept() : subscription;
    }

    private Flow<Tick> policy(final Flow<Tick> flow)
    {
        switch (random.nextInt(7))
        {
            case 0:
                return flow.onFull(BackPressure.BLOCK);
            case 1:
                return flow.onFull(BackPressure.FAIL);
            case 2:
                return flow.onFull(BackPressure.DROP_NEWEST);
            case 3:
                return flow.through(Pipelines.spsc(QUEUE / 2)).onFull(BackPressure.DROP_OLDEST);
            case 4:
                return flow.through(Pipelines.spsc(QUEUE / 2)).onFull(BackPressure.FAIL);
            case 5:
                return flow.through(Pipelines.<Tick>conflating(KEYS, event ->
                {
                    failSometimes();
                    return event.value % (KEYS + 1);
                })).onFull(BackPressure.CONFLATE);
            default:
                return flow.through(Pipelines.direct());
        }
    }

    private void subscribe()
    {
        final String name = "f" + flows++;
        final Tally tally = new Tally();
        final int kind = random.nextInt(3);
        final Function<Flow.Start, Flow<?>> definition = f ->
        {
            Flow<Tick> flow = policy(kind == 0 ? f.from(Tick::new, QUEUE, subscription(feed)) : kind == 1 ?
                f.from(Tick::new, QUEUE, subscription(polledFeed)) :
                f.from(Tick::new, QUEUE, subscription(feed), subscription(polledFeed)));
            flow = random.nextInt(3) > 0 ? flow : random.nextBoolean() ? flow.alarmAt(QUEUE / 2) :
                flow.disconnectAt(QUEUE / 2);
            return flow.to(name + "s", tally.handler());
        };
        tallies.put(name, tally);
        log.add("add " + name);
        try
        {
            server.control().addFlow(name, definition);
        }
        catch (final IllegalArgumentException | IllegalStateException ex)
        {
            log.add("refused: " + ex.getMessage());
            tallies.remove(name);
            // The kept events that it got before a copier threw.
            errors.removeIf(error -> error.getMessage().contains("flow '" + name + "' closed with"));
        }
    }

    private long value(final String counter)
    {
        return server.counters().value(counter);
    }

    /** A ring also counts what was claimed and given back. */
    private long published(final String flow)
    {
        return value(flow + ".published") - value(flow + ".pool.abandoned");
    }

    /** What its handlers must have got, once its queue is empty. */
    private long due(final String flow)
    {
        return value(flow + ".offered") - value(flow + ".rejected") - value(flow + ".dropped") -
            value(flow + ".displaced") - value(flow + ".copyErrors") - value(flow + ".disconnected");
    }

    private String anyFlow()
    {
        return new ArrayList<>(tallies.keySet()).get(random.nextInt(tallies.size()));
    }

    private void leave()
    {
        final String name = anyFlow();
        final long due = due(name);
        log.add("remove " + name);
        server.control().removeFlow(name);
        assertEquals(due, tallies.remove(name).handled, name);
        paused.remove(name + "s");
    }

    private void pause()
    {
        final String part = random.nextInt(3) == 0 ? "polled-source" : random.nextInt(3) == 0 ? "feed" :
            tallies.isEmpty() ? "check" : anyFlow() + "s";
        try
        {
            if (paused.remove(part))
            {
                log.add("resume " + part);
                server.control().resume(part);
            }
            else
            {
                log.add("pause " + part);
                server.control().pause(part);
                paused.add(part);
            }
        }
        catch (final IllegalArgumentException ex)
        {
            // The stage of a direct flow.
            log.add("refused: " + ex.getMessage());
        }
    }

    private void replace()
    {
        if (tallies.isEmpty() || random.nextBoolean())
        {
            log.add("replace source");
            server.control().replaceSource("polled", new Polled());
            return;
        }
        final String name = anyFlow();
        log.add("replace " + name);
        try
        {
            server.control().replaceHandler(name + "s", tallies.get(name).handler());
        }
        catch (final IllegalArgumentException ex)
        {
            log.add("refused: " + ex.getMessage());
        }
    }

    private void publish()
    {
        for (int i = random.nextInt(2 * QUEUE); i > 0; i--)
        {
            final Tick event = source.claim();
            if (event != null)
            {
                event.value = accepted;
                if (random.nextInt(20) == 0)
                {
                    event.release();
                }
                else
                {
                    assertTrue(source.publish(event));
                    accepted++;
                }
            }
        }
    }

    private void change()
    {
        final int draw = random.nextInt(20);
        if (draw < 7)
        {
            publish();
        }
        else if (draw < 12)
        {
            server.invoke();
        }
        else if (draw < 14 && tallies.size() < MOST_FLOWS)
        {
            subscribe();
        }
        else if (draw == 14 && !tallies.isEmpty())
        {
            leave();
        }
        else if (draw < 17)
        {
            pause();
        }
        else if (draw == 17)
        {
            replace();
        }
        else if (random.nextInt(10) == 0)
        {
            rest();
        }
    }

    /** Everything is handled: all sums are exact, and all events are in their pools. */
    private void rest()
    {
        log.add("rest");
        paused.forEach(server.control()::resume);
        paused.clear();
        fails = false;
        // The source may have an event that it has not filled.
        server.control().replaceSource("polled", new Polled());
        server.control().pause("polled-source");
        comeToRest();
        // A ring announces its position when it is asked: the first reading may be low.
        server.pools().pools().forEach(ObjectPool::available);
        comeToRest();
        server.control().resume("polled-source");
        check();
        if (random.nextInt(4) == 0)
        {
            restart();
        }
        fails = true;
    }

    private void comeToRest()
    {
        int idle = 0;
        while (idle < 3)
        {
            idle = server.invoke() == 0 ? idle + 1 : 0;
        }
    }

    private void check()
    {
        assertEquals(accepted, published("in"));
        assertEquals(accepted, value("feed.handled"));
        assertEquals(published("polled"), value("polledFeed.handled"));
        for (final Map.Entry<String, Tally> each : tallies.entrySet())
        {
            assertEquals(due(each.getKey()), each.getValue().handled, each.getKey());
        }
        assertEquals(published("dead"), lettersHandled);
        // Each failed event is a dead letter, handled or lost.
        assertEquals(value("server.deadLetters"), lettersHandled + sink.lost() - lostBefore);
        server.pools().pools().forEach(pool ->
        {
            assertEquals(pool.capacity(), pool.available(), pool.name() + pool.describeInFlight());
            assertEquals(0, pool.metrics().doubleReleases() + pool.metrics().lateReleases(), pool.name());
        });
    }

    private void restart()
    {
        log.add("restart");
        server.stop();
        server.start();
        lostBefore = sink.lost();
        tallies.clear();
        accepted = 0;
        polled = 0;
        lettersHandled = 0;
    }

    private void run(final int changes)
    {
        begin();
        fails = true;
        try (Server closed = server)
        {
            for (int i = 0; i < changes && closed.state() == ServerState.RUNNING; i++)
            {
                change();
            }
            assertEquals(ServerState.RUNNING, closed.state());
            rest();
        }
        errors.forEach(error -> assertTrue(error.getMessage().contains("failed") ||
            error.getMessage().contains(" is slow"), String.valueOf(error)));
    }

    private static void run(final int servers, final int changes)
    {
        final long seed = Long.getLong("seed", System.nanoTime());
        for (int i = 0; i < (Long.getLong("seed") == null ? servers : 1); i++)
        {
            final FeedChangesPropertyTest test = new FeedChangesPropertyTest();
            test.random = new Random(seed + i);
            try
            {
                test.run(changes);
            }
            catch (final Throwable ex)
            {
                throw new AssertionError("-Dseed=" + (seed + i) + ": " + ex + " " + test.log + test.errors, ex);
            }
        }
    }

    @Test
    void shouldAccountForEachEvent()
    {
        run(20, 500);
    }

    @Tag("stress")
    @Tag("normal")
    @Test
    void shouldAccountForEachEventOfManyServers()
    {
        run(2_000, 500);
    }
}
