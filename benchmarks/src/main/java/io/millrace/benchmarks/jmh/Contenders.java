package io.millrace.benchmarks.jmh;

import io.millrace.benchmarks.harness.RivalClass;
import io.millrace.pool.RingPool;
import io.millrace.pool.SharedPool;
import io.millrace.server.pipeline.DisruptorPipeline;
import io.millrace.server.pipeline.SpscPipeline;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.jctools.queues.SpscArrayQueue;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Supplier;

/**
 * The contenders by the names under which they are contenders.
 */
public final class Contenders
{
    /** Events of a batch of the Disruptor's own throughput tests, and so of ours. */
    static final int BATCH = 32;

    /** Fields of a pooled event of 64 bytes, 32 of which are the header and the pool's words. */
    private static final int LINE_FIELDS = 4;
    private static final int CAPACITY = Contender.CAPACITY;

    /** Compiled and on the class path with the profile report-race only. */
    private static final RivalClass<Contender> AERON =
        new RivalClass<>("io.millrace.benchmarks.jmh.AeronContender", "report-race", Contender.class);

    private Contenders()
    {
    }

    /**
     * A contender for events with a number of {@code long} fields: pooled events of 32 + 8 x fields bytes, plain ones
     * of
     * 16 + 8 x fields.
     *
     * @param contender name.
     * @param fields    1, 4 or 6.
     * @param batch     events between two publications of the result.
     * @return an empty contender.
     */
    static Contender of(final String contender, final int fields, final int batch)
    {
        final int used = "baselineSequence".equals(contender) ? lineFields(contender) : fields;
        return of(contender, fields, PlainEvent.withFields(fields), new Check(batch, used));
    }

    /**
     * A contender that ends at a check of the caller's, with events of 64 bytes on the heap, whether pooled or plain.
     *
     * @param contender name.
     * @param check     of events with {@link #lineFields} fields.
     * @param yields    whether to yield while waiting, instead of spinning.
     * @return an empty contender.
     */
    public static Contender open(final String contender, final Check check, final boolean yields)
    {
        final Contender opened = ofOneLine(contender, check);
        if (yields)
        {
            opened.yieldWhenIdle();
        }
        return opened;
    }

    private static Contender ofOneLine(final String contender, final Check check)
    {
        return switch (contender)
        {
            case "baselineSequence" -> sequences(check);
            case "baselineCell" -> new BaselineContender.Cell(check);
            case "sharedRing1", "sharedRing2", "sharedRing4", "lmaxMulti1", "lmaxMulti2", "lmaxMulti4", "jctoolsMpsc1",
                "jctoolsMpsc2", "jctoolsMpsc4" -> ManyContender.named(contender, check);
            default -> of(contender, LINE_FIELDS, Sizes.checked(64, PlainEvent.ofOneLine()), check);
        };
    }

    /**
     * Fields of the events of {@link #ofOneLine}.
     *
     * @param contender name.
     * @return how many {@code long} fields are written and read.
     */
    public static int lineFields(final String contender)
    {
        return switch (contender)
        {
            case "baselineSequence" -> SequencedEvent.FIELDS;
            case "baselineCell" -> 1;
            default -> LINE_FIELDS;
        };
    }

    private static Contender of(
        final String contender, final int fields, final Supplier<PlainEvent> plain, final Check check)
    {
        final Supplier<PooledEvent> pooled = PooledEvent.ofSize(32 + 8 * fields);
        return switch (contender)
        {
            case "ring" -> new RingContender(check, pooled);
            case "ringBatch32" -> new RingContender.Batch(check, pooled, BATCH);
            case "spscRingPool" ->
                new ReferenceContender(check, new RingPool<>(pooled, CAPACITY), new SpscPipeline<>(CAPACITY));
            case "spscSharedPool" ->
                new ReferenceContender(check, new SharedPool<>(pooled, CAPACITY), new SpscPipeline<>(CAPACITY));
            case "disruptorRingPool" ->
                new ReferenceContender(check, new RingPool<>(pooled, CAPACITY), DisruptorPipeline.single(CAPACITY));
            case "disruptorMulti" ->
                new ReferenceContender(check, new RingPool<>(pooled, CAPACITY), DisruptorPipeline.multi(CAPACITY));
            case "direct" -> new ReferenceContender.Direct(check, pooled);
            case "baseline" -> new BaselineContender.Indexes(check, plain);
            case "baselineSequence" -> sequences(check);
            case "baselineLongs" -> BaselineContender.longs(check, fields);
            default -> rival(contender, plain, check);
        };
    }

    private static Contender rival(final String contender, final Supplier<PlainEvent> plain, final Check check)
    {
        return switch (contender)
        {
            case "lmax" -> new LmaxContender.Processor(check, plain);
            case "lmaxSpin" -> new LmaxContender.Spinning(check, plain);
            case "lmaxBatch32" -> new LmaxContender.Batch(check, plain, BATCH);
            case "lmaxPoller" -> new LmaxContender.Poller(check, plain);
            case "agrona" -> new QueueContender.Agrona(check, plain, new OneToOneConcurrentArrayQueue<>(CAPACITY));
            case "agronaRing" -> new MessageContender(check);
            case "aeron" -> AERON.make(check);
            case "server" -> new ServerContender(check, PooledEvent.ofSize(64));
            case "serverBatch32" -> new ServerContender.Batch(check, PooledEvent.ofSize(64), BATCH);
            case "jctools" -> new QueueContender.Jctools(check, plain, new SpscArrayQueue<>(CAPACITY));
            case "arrayBlocking" -> new QueueContender.Blocking(check, plain, new ArrayBlockingQueue<>(CAPACITY));
            default -> throw new IllegalArgumentException("no contender '" + contender + "'");
        };
    }

    /**
     * Checks whether this build can run a contender.
     *
     * @param contender name.
     * @return false for one whose library only a profile brings.
     */
    public static boolean isBuilt(final String contender)
    {
        return !"aeron".equals(contender) || AERON.isHere();
    }

    /**
     * A contender that shows what the layout of its events does.
     *
     * @param layout {@code ring} and the size of an event with all fields used, or {@code padded} and the
     *               size of one with one field used.
     * @param batch  events between two publications of the result.
     * @return an empty contender.
     */
    static Contender ofLayout(final String layout, final int batch)
    {
        final int bytes = Integer.parseInt(layout.replaceAll("\\D", ""));
        final boolean isPadded = layout.startsWith("padded");
        final Supplier<PooledEvent> events = isPadded ? PooledEvent.padded(bytes) : PooledEvent.ofSize(bytes);
        return new RingContender(new Check(batch, events.get().fields()), Sizes.checked(bytes, events));
    }

    private static Contender sequences(final Check check)
    {
        Sizes.checked(64, SequencedEvent::new);
        return new BaselineContender.Sequences(check);
    }
}
