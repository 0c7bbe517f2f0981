package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPool;
import io.millrace.server.pipeline.EventHandler;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Random changes of servers whose sources publish all the time: stages join, leave, pause and get other handlers, and a
 * flow comes and goes. Publishers release events, hold them beyond the claim timeout and retain them; handlers retain
 * events and throw. At the end each event is accounted for, and all pools are full.
 * <p>
 * {@code -Dstress.seed} repeats a server by the number in its message, as far as its threads do so.
 */
@Tag("stress")
@Tag("normal")
final class LiveChangesStressTest
{
    private static final long ALL = 100_000_000;
    private static final int SERVERS = Long.getLong("stress.events", ALL) < ALL ? 20 : 200;
    private static final long CHANGES_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final Pattern MISSING = Pattern.compile("flow 'g' .* (\\d+) deliveries missing");
    private static final Pipe[] PIPES = {Pipe.RING, Pipe.RING, Pipe.RING, Pipe.SPSC, Pipe.DISRUPTOR};

    private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final ConcurrentLinkedQueue<Kept> kept = new ConcurrentLinkedQueue<>();
    private final Set<ObjectPool<?>> pools = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Thread> publishers = new ArrayList<>();
    private final Map<String, Ledger> ledgers = new HashMap<>();
    private final Map<String, List<String>> joined = new HashMap<>();
    private final List<String> paused = new ArrayList<>();
    private volatile boolean publish;
    private volatile boolean retain;
    private Random random;
    private Server server;
    private Source changed;
    private Source leaving;
    private boolean isThere;
    private int number;

    private enum Pipe
    {
        RING, SPSC, DISRUPTOR
    }

    private static final class Item extends BasePoolAware
    {
        int publisher;
        long number;
    }

    /** A reference that is released later, and what the event must still contain then. */
    private static final class Kept
    {
        private final Item item;
        private final int publisher;
        private final long number;

        Kept(final Item item)
        {
            item.retain(1);
            this.item = item;
            publisher = item.publisher;
            number = item.number;
        }

        boolean isSame()
        {
            return item.publisher == publisher && item.number == number;
        }
    }

    /** A source of random kind, with its publishers. */
    private final class Source
    {
        private final boolean isShared = random.nextInt(3) > 0;
        private final int capacity = 8 << random.nextInt(7);
        private final int publisherCount = isShared ? 1 + random.nextInt(4) : 1;
        private final BackPressure policy = random.nextInt(3) == 0 ? BackPressure.FAIL : BackPressure.BLOCK;
        private final Pipe pipe = kind();
        private final long claimTimeoutNs = TimeUnit.MILLISECONDS.toNanos(random.nextBoolean() ? 2 : 3_600_000);
        private final InVmSource<Item> source = !isShared ? new InVmSource<>(Item::new, capacity) :
            pipe == Pipe.RING ? InVmSource.shared(Item::new, capacity, claimTimeoutNs) :
            InVmSource.shared(Item::new, capacity);
        private final AtomicLongArray published = new AtomicLongArray(publisherCount);

        private Pipe kind()
        {
            final Pipe drawn = PIPES[random.nextInt(PIPES.length)];
            return isShared && drawn == Pipe.SPSC ? Pipe.RING : drawn;
        }

        Flow<Item> define(final Flow.Start start, final String stage, final EventHandler<Item> handler)
        {
            return start.from(source).through(pipe == Pipe.RING ? Pipelines.ring() :
                pipe == Pipe.SPSC ? Pipelines.spsc(capacity) : Pipelines.disruptor(capacity))
                .onFull(policy).to(stage, handler);
        }

        void start(final String name)
        {
            for (int i = 0; i < publisherCount; i++)
            {
                final int publisher = i;
                final Random own = new Random(random.nextLong());
                publishers.add(thread(name + i, () -> publishAll(publisher, own)));
            }
        }

        private void publishAll(final int publisher, final Random own)
        {
            while (publish)
            {
                final Item event = source.claim();
                if (event == null)
                {
                    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(20));
                }
                else
                {
                    publish(event, publisher, own.nextInt(400), own);
                }
            }
        }

        private void publish(final Item event, final int publisher, final int draw, final Random own)
        {
            if (draw == 0)
            {
                event.release();
                return;
            }
            if (draw == 1)
            {
                LockSupport.parkNanos(own.nextInt(3_000_000));
            }
            event.publisher = publisher;
            event.number = published.get(publisher);
            final Kept retained = draw < 7 ? new Kept(event) : null;
            if (source.publish(event))
            {
                published.lazySet(publisher, published.get(publisher) + 1);
                if (retained != null)
                {
                    kept.add(retained);
                }
                return;
            }
            if (retained != null)
            {
                event.release();
            }
            event.release();
        }

        long total()
        {
            long total = 0;
            for (int i = 0; i < publisherCount; i++)
            {
                total += published.get(i);
            }
            return total;
        }

        @Override
        public String toString()
        {
            return publisherCount + (isShared ? " shared " : " single ") + pipe + " " + capacity + " " + policy + " " +
                claimTimeoutNs;
        }
    }

    /** What the handlers of one stage have seen; its agent's thread. */
    private final class Ledger
    {
        private final Source source;
        private final AtomicLongArray next;
        private volatile long handled;

        Ledger(final Source source, final long first)
        {
            this.source = source;
            final long[] all = new long[source.publisherCount];
            Arrays.fill(all, first);
            next = new AtomicLongArray(all);
        }

        void add(final Item event)
        {
            final long expected = next.get(event.publisher);
            // An event of a flow that ends during its publish is reported instead.
            if (expected >= 0 && (source == leaving ? event.number < expected : event.number != expected))
            {
                wrong.add(event.number + " instead of " + expected + " of publisher " + event.publisher);
            }
            next.lazySet(event.publisher, event.number + 1);
            handled++;
        }

        /** A stage that has joined counts from the first event of each publisher that it saw. */
        boolean isUpToDate()
        {
            for (int i = 0; i < source.publisherCount; i++)
            {
                if (next.get(i) >= 0 && next.get(i) != source.published.get(i))
                {
                    return false;
                }
            }
            return true;
        }
    }

    private EventHandler<Item> handler(final Ledger ledger)
    {
        final Random own = new Random(random.nextLong());
        return new EventHandler<>()
        {
            @Override
            public void onEvent(final Item event, final long sequence, final boolean endOfBatch)
            {
                ledger.add(event);
                final int draw = own.nextInt(300);
                if (draw < 8 && retain)
                {
                    kept.add(new Kept(event));
                }
                if (draw == 7 || draw == 8)
                {
                    throw new IllegalStateException("planned");
                }
            }
        };
    }

    private Thread thread(final String name, final Runnable body)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                body.run();
            }
            catch (final Throwable ex)
            {
                wrong.add(name + ": " + ex);
            }
        }, name);
        thread.start();
        return thread;
    }

    /** Releases what was retained, a moment later. */
    private void releaseKept()
    {
        while (retain || !kept.isEmpty())
        {
            // Never for long: a ring may wait for just this event.
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
            for (Kept oldest = kept.poll(); oldest != null; oldest = kept.poll())
            {
                assertTrue(oldest.isSame(), "used again while it was retained");
                oldest.item.release();
            }
        }
    }

    private void change()
    {
        final int draw = random.nextInt(10);
        final String stage = joined.isEmpty() || random.nextBoolean() ? "a" :
            new ArrayList<>(joined.keySet()).get(random.nextInt(joined.size()));
        if (draw < 3 && changed.pipe == Pipe.RING && joined.size() < 4)
        {
            join(random.nextBoolean() ? List.of() : List.of(stage));
        }
        else if (draw < 5 && !stage.equals("a") && joined.values().stream().noneMatch(each -> each.contains(stage)))
        {
            server.control().removeStage(stage);
            joined.remove(stage);
            paused.remove(stage);
        }
        else if (draw == 5)
        {
            server.control().replaceHandler(stage, handler(ledgers.get(stage)));
        }
        else if (draw == 6 && paused.remove(stage))
        {
            server.control().resume(stage);
        }
        else if (draw == 6)
        {
            server.control().pause(stage);
            paused.add(stage);
        }
        else if (isThere)
        {
            server.control().removeFlow("g");
            isThere = false;
        }
        else
        {
            addFlow();
        }
    }

    private void join(final List<String> after)
    {
        final String stage = "s" + number++;
        ledgers.put(stage, new Ledger(changed, -1));
        server.control().addStage(
            "f", stage, "agent" + random.nextInt(3), handler(ledgers.get(stage)), after.toArray(new String[0]));
        joined.put(stage, after);
    }

    private void addFlow()
    {
        server.control().addFlow("g", f -> leaving.define(f, "x", handler(ledgers.get("x"))));
        isThere = true;
        if (pools.addAll(server.pools().pools()) && pools.size() == 2)
        {
            leaving.start("leaving");
        }
    }

    private void run(final long seed) throws InterruptedException
    {
        random = new Random(seed);
        final ThreadingMode mode = random.nextBoolean() ? ThreadingMode.SHARED : ThreadingMode.DEDICATED;
        changed = new Source();
        leaving = new Source();
        ledgers.put("a", new Ledger(changed, 0));
        ledgers.put("x", new Ledger(leaving, 0));
        final EventHandler<Item> first = handler(ledgers.get("a"));
        publish = true;
        retain = true;
        final String what = "stress.seed=" + seed + " " + mode + " " + changed + ", " + leaving;
        server = Server.launch(new Server.Context().name("changes").threadingMode(mode).errorHandler(errors::add)
            .stallTimeoutNs(0).onError(ErrorPolicy.SKIP_AND_RECORD).drainTimeoutNs(Await.LONG_NS)
            .idle(() -> new BackoffIdleStrategy(10, 10, 1_000, 100_000))
            .deadLetters((stage, sequence, event, cause) -> assertEquals("planned", cause.getMessage()))
            .flow("f", f -> changed.define(f, "a", first)));
        try (Server closed = server)
        {
            pools.addAll(closed.pools().pools());
            final Thread releaser = thread("releaser", this::releaseKept);
            changed.start("changed");
            final long endNs = System.nanoTime() + CHANGES_NS;
            while (System.nanoTime() - endNs < 0)
            {
                change();
                LockSupport.parkNanos(random.nextInt(1_000_000));
            }
            paused.forEach(closed.control()::resume);
            publish = false;
            for (final Thread each : publishers)
            {
                Await.ended(each);
            }
            awaitAll(what);
            retain = false;
            Await.ended(releaser);
            for (final ObjectPool<?> pool : pools)
            {
                Await.until(what + ": " + pool.describeInFlight(), () -> pool.available() == pool.capacity());
                assertEquals(0, pool.metrics().doubleReleases() + pool.metrics().lateReleases(), what);
            }
        }
        assertEquals(List.of(), wrong, what);
        errors.removeIf(each -> each.getMessage().contains("its publisher has ended, or took longer") ||
            MISSING.matcher(each.getMessage()).matches());
        assertEquals(List.of(), errors, what);
    }

    /** Reported events of the flow that leaves. */
    private long missing()
    {
        synchronized (errors)
        {
            return errors.stream().map(each -> MISSING.matcher(each.getMessage())).filter(Matcher::matches)
                .mapToLong(each -> Long.parseLong(each.group(1))).sum();
        }
    }

    private void awaitAll(final String what)
    {
        Await.until(what + ": all are handled", () -> ledgers.get("a").handled == changed.total() || !wrong.isEmpty());
        Await.until(what + ": of the flow that leaves",
            () -> ledgers.get("x").handled + missing() == leaving.total() || !wrong.isEmpty());
        joined.keySet().forEach(stage -> Await.until(what + ": of stage " + stage,
            () -> ledgers.get(stage).isUpToDate() || !wrong.isEmpty()));
    }

    @Test
    void shouldAccountForEachEventWhateverChanges() throws InterruptedException
    {
        final Long seed = Long.getLong("stress.seed");
        final long first = seed != null ? seed : System.nanoTime();
        for (int i = 0; i < (seed != null ? 1 : SERVERS); i++)
        {
            new LiveChangesStressTest().run(first + i);
        }
    }
}
