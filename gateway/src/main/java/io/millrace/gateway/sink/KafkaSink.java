package io.millrace.gateway.sink;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import org.agrona.concurrent.NanoClock;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Sends each event to a Kafka topic: the key is the symbol, the value the JSON object, and the headers {@code session}
 * and {@code sequence} have the decimal numbers. Needs {@code org.apache.kafka:kafka-clients} on the class path; that
 * library allocates.
 * <p>
 * The producer is idempotent: while an outage stays within the delivery timeout, each event is stored once and in
 * order. It repeats and reconnects with its own back-off. This sink's back-off is for the first contact: before the
 * topic is known, events wait in the sink's queue. {@code send} may block for {@code max.block.ms}, which is why the
 * sink needs an agent of its own.
 * <p>
 * An event is <b>delivered</b> when the broker has acknowledged it, and <b>refused</b> when {@code send} or the broker
 * refused it, such as a record that is too large. After any other failure, such as the delivery timeout, it is
 * <b>unknown</b>: the broker may have stored it.
 */
public final class KafkaSink extends ReopeningSink
{
    /** The gateway's topic. */
    public static final String DEFAULT_TOPIC = "bbo_messages";
    /** Default of the greatest number of events without an answer: at some 600 bytes each, 40 MB. */
    public static final int DEFAULT_MAX_PENDING = 65_536;

    /** More than the pending events need, so that send does not wait for memory. */
    private static final long BUFFER_BYTES = 67_108_864;
    private static final int MAX_BLOCK_MS = 200;
    private static final long NS_OF_A_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long SILENT_NS = NS_OF_A_SECOND;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final Supplier<Producer<byte[], byte[]>> producers;
    private final String topic;
    private final BboEncoder encoder;
    private final int maxPending;
    /** Of this start: answers that come after its end do not count in the next one. The agent's thread. */
    private PendingEvents pending;
    /** Records that the producer did not take, because it lost the topic's metadata: at most a batch, sent first. */
    private final ArrayDeque<ProducerRecord<byte[], byte[]>> unsent = new ArrayDeque<>();
    private Producer<byte[], byte[]> producer;
    /** The record that send has on the agent's thread; null outside of send. */
    private ProducerRecord<byte[], byte[]> sending;
    private long deliveredSeen;
    private long progressNs;
    private boolean silent;
    private long silentNs;
    private long lookedNs;

    /**
     * A sink that connects when the server starts.
     *
     * @param properties   of the producer, for example {@link #properties}.
     * @param topic        the topic.
     * @param withSequence whether the JSON object ends with the sequence.
     * @param maxPending   greatest number of events without an answer, 1 to 1,048,576; the others wait in the queue.
     * @param backoff      delays between attempts to find the topic.
     * @param clock        for these delays.
     */
    public KafkaSink(
        final Properties properties,
        final String topic,
        final boolean withSequence,
        final int maxPending,
        final ReconnectBackoff backoff,
        final NanoClock clock)
    {
        this(() -> new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer()),
            topic, withSequence, maxPending, backoff, clock);
    }

    KafkaSink(
        final Supplier<Producer<byte[], byte[]>> producers,
        final String topic,
        final boolean withSequence,
        final int maxPending,
        final ReconnectBackoff backoff,
        final NanoClock clock)
    {
        super(backoff, clock);
        this.producers = Objects.requireNonNull(producers, "producers");
        this.topic = Objects.requireNonNull(topic, "topic");
        encoder = new BboEncoder(withSequence);
        this.maxPending = maxPending;
        pending = new PendingEvents(status(), maxPending);
    }

    /**
     * Settings of an idempotent producer that waits for all replicas, does not gather records, and blocks for 200
     * milliseconds at most. Change them before you make the sink.
     *
     * @param bootstrapServers {@code host:port}, separated by commas.
     * @return the settings; everything else has Kafka's defaults, such as a delivery timeout of two minutes.
     */
    public static Properties properties(final String bootstrapServers)
    {
        final Properties properties = new Properties();
        properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MS);
        properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
        return properties;
    }

    @Override
    public void onStart()
    {
        pending = new PendingEvents(status(), maxPending);
        deliveredSeen = 0;
        super.onStart();
    }

    @Override
    protected void open()
    {
        if (producer == null)
        {
            producer = newProducer();
        }
        producer.partitionsFor(topic);
        progressNs = clock().nanoTime();
        silent = false;
    }

    private Producer<byte[], byte[]> newProducer()
    {
        try
        {
            return producers.get();
        }
        catch (final KafkaException ex)
        {
            // Its own text does not say why, such as for a host that is not known.
            final String why = ex.getCause() == null ? null : ex.getCause().getMessage();
            throw why == null ? ex : new KafkaException(why, ex);
        }
    }

    /** Keeps the producer, which goes on trying in the background. */
    @Override
    protected void abandon()
    {
    }

    @Override
    public int demand()
    {
        if (super.demand() > 0 && isTopicKnown())
        {
            observe();
            while (isOpen() && !unsent.isEmpty())
            {
                send(unsent.poll());
            }
        }
        return isOpen() ? pending.capacity() : 0;
    }

    /** The producer may forget the topic in an outage. Then send would block, so the events have to wait. */
    private boolean isTopicKnown()
    {
        try
        {
            producer.partitionsFor(topic);
            return true;
        }
        catch (final RuntimeException ex)
        {
            fail(ex);
            return false;
        }
    }

    /** DOWN if events are pending and no broker has acknowledged any for a second, until a broker answers. */
    private void observe()
    {
        final long delivered = pending.deliveredCount();
        if (delivered != deliveredSeen || pending.count() == 0)
        {
            if (silent && (delivered != deliveredSeen || hasMetadataSinceSilence()))
            {
                silent = false;
                status().up();
            }
            deliveredSeen = delivered;
            progressNs = clock().nanoTime();
        }
        else if (!silent && clock().nanoTime() - progressNs > SILENT_NS)
        {
            silent = true;
            silentNs = clock().nanoTime();
            lookedNs = silentNs;
            status().down("no broker has acknowledged an event for a second");
        }
    }

    /**
     * When all pending events have expired, no acknowledgement comes: the metadata that the client gets shows that a
     * broker answers again. Looks once a second, because the client has hundreds of metrics.
     */
    private boolean hasMetadataSinceSilence()
    {
        final long nowNs = clock().nanoTime();
        if (nowNs - lookedNs < SILENT_NS)
        {
            return false;
        }
        lookedNs = nowNs;
        for (final Metric metric : producer.metrics().values())
        {
            // In seconds.
            if (metric.metricName().name().equals("metadata-age") && metric.metricValue() instanceof Double)
            {
                return (Double)metric.metricValue() * NS_OF_A_SECOND < nowNs - silentNs;
            }
        }
        return false;
    }

    @Override
    public void onEvent(final BboEvent event, final long sequence, final boolean endOfBatch)
    {
        final int length = encoder.json(event);
        final ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, null,
            ascii(Symbols.text(event.symbol())), Arrays.copyOf(encoder.bytes(), length));
        record.headers().add("session", ascii(Long.toUnsignedString(event.session())));
        record.headers().add("sequence", ascii(Long.toUnsignedString(event.sequence())));
        pending.add();
        if (isOpen())
        {
            send(record);
        }
        else
        {
            // An earlier event of this batch failed.
            unsent.add(record);
        }
    }

    private void send(final ProducerRecord<byte[], byte[]> record)
    {
        final Thread agent = Thread.currentThread();
        final PendingEvents those = pending;
        sending = record;
        try
        {
            producer.send(record, (metadata, failure) -> onAnswer(those, failure, agent));
        }
        catch (final RuntimeException ex)
        {
            // The producer has not taken it, and calls nobody back.
            pending.refused();
            status().degradedUnlessDown(ex.toString());
        }
        finally
        {
            sending = null;
        }
    }

    private static byte[] ascii(final String text)
    {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** On the producer's thread; on the agent's, inside of send, if the producer has not taken the record. */
    private void onAnswer(final PendingEvents those, final Exception failure, final Thread agent)
    {
        if (failure == null)
        {
            those.delivered();
            return;
        }
        final boolean isInsideSend = Thread.currentThread() == agent && sending != null;
        if (isInsideSend && failure instanceof TimeoutException)
        {
            unsent.addFirst(sending);
            fail(failure);
            return;
        }
        if (isInsideSend || isRefusal(failure))
        {
            those.refused();
            status().degraded(failure.toString());
        }
        else
        {
            those.unknown();
            // Such as the delivery timeout while no broker answers: that is no return of a broker.
            status().degradedUnlessDown(failure.toString());
        }
    }

    private static boolean isRefusal(final Exception failure)
    {
        return failure instanceof RecordTooLargeException || failure instanceof RecordBatchTooLargeException ||
            failure instanceof AuthorizationException || failure instanceof InvalidTopicException;
    }

    /** Waits at most a second for the answers that are missing. */
    @Override
    public void onClose()
    {
        try
        {
            if (producer != null)
            {
                producer.close(CLOSE_TIMEOUT);
            }
        }
        finally
        {
            producer = null;
            unsent.forEach(record -> pending.refused());
            unsent.clear();
            pending.close();
            super.onClose();
        }
    }
}
