package io.millrace.gateway.sink;

import io.millrace.server.ThreadingMode;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Supplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** B1, B3: the Kafka sink with the mock producer of Kafka's makers. */
@Tag("server")
class KafkaSinkTest
{
    private static final int MAX_PENDING = 32;

    private final MockProducer<byte[], byte[]> producer = new MockProducer<>(
        Cluster.empty(), false, null, new ByteArraySerializer(), new ByteArraySerializer());
    private long nowNs;
    private KafkaSink sink;
    private final SinkRig rig = new SinkRig(ThreadingMode.INVOKER);

    private void launch(final Supplier<Producer<byte[], byte[]>> producers)
    {
        sink = new KafkaSink(
            producers, KafkaSink.DEFAULT_TOPIC, true, MAX_PENDING, SinkRig.backoff(3), () -> nowNs);
        rig.add("kafka", sink, SinkQueue.dropNewest(128)).launch();
    }

    private void end()
    {
        rig.end();
        rig.checkSums("kafka");
        assertEquals(List.of(), rig.errors);
    }

    private static String text(final byte[] bytes)
    {
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    @Test
    void shouldSendSymbolJsonAndSequence()
    {
        launch(() -> producer);
        rig.publish(10);
        rig.invokeUntil("sent", () -> producer.history().size() == 10);
        for (int i = 0; i < 10; i++)
        {
            final ProducerRecord<byte[], byte[]> record = producer.history().get(i);
            assertEquals("bbo_messages", record.topic());
            assertEquals("S" + (i + 1), text(record.key()));
            assertEquals(SinkRig.json(i + 1), text(record.value()));
            assertEquals(String.valueOf(i + 1), text(record.headers().lastHeader("sequence").value()));
            assertEquals("77", text(record.headers().lastHeader("session").value()));
            assertEquals(i, rig.counter("kafka.delivered"));
            assertTrue(producer.completeNext());
        }
        end();
        assertEquals(10, rig.counter("kafka.delivered"));
        assertTrue(producer.closed());
    }

    @Test
    void shouldSendAgainAfterARestartOfTheServer()
    {
        final List<MockProducer<byte[], byte[]>> producers = new ArrayList<>();
        launch(() ->
        {
            producers.add(new MockProducer<>(
                Cluster.empty(), false, null, new ByteArraySerializer(), new ByteArraySerializer()));
            return producers.get(producers.size() - 1);
        });
        for (int start = 1; start <= 3; start++)
        {
            rig.publish(MAX_PENDING);
            final long handled = MAX_PENDING;
            rig.invokeUntil("sent", () -> rig.counter("kafka.handled") == handled);
            final MockProducer<byte[], byte[]> present = producers.get(producers.size() - 1);
            assertEquals(MAX_PENDING, present.history().size(), "of start " + start);
            for (int i = 0; i < start; i++)
            {
                assertTrue(present.completeNext());
            }
            rig.server.stop();
            assertTrue(present.closed());
            rig.server.start();
            assertEquals(start + 1, producers.size());
            // Too late: it was counted as unknown, and is not pending in this start.
            assertTrue(present.completeNext());
            assertEquals("UP", sink.status().describe());
        }
        assertEquals(1 + 2 + 3, sink.status().delivered());
        assertEquals(3 * MAX_PENDING - (1 + 2 + 3), sink.status().unknown());
        assertEquals(List.of(), rig.errors);
        rig.end();
    }

    @Test
    void shouldCountWhatIsPendingWhenTheProducerDoesNotClose()
    {
        launch(() -> new MockProducer<>(
            Cluster.empty(), false, null, new ByteArraySerializer(), new ByteArraySerializer())
        {
            @Override
            public void close(final Duration timeout)
            {
                throw new KafkaException("planned");
            }
        });
        rig.publish(10);
        rig.invokeUntil("sent", () -> rig.counter("kafka.handled") == 10);
        rig.end();
        rig.checkSums("kafka");
        assertEquals(10, rig.counter("kafka.unknown"));
        assertEquals("DOWN: closed", sink.status().describe());
        assertEquals(1, rig.errors.size());
    }

    @Test
    void shouldSayWhyThereIsNoProducer()
    {
        launch(() ->
        {
            throw new KafkaException("Failed to construct kafka producer",
                new ConfigException("No resolvable bootstrap urls given in bootstrap.servers"));
        });
        assertEquals("DOWN: No resolvable bootstrap urls given in bootstrap.servers", sink.status().describe());
    }

    @Test
    void shouldSayWhatFailedWhenTheCauseHasNoText()
    {
        launch(() ->
        {
            throw new KafkaException("Failed to construct kafka producer", new IllegalStateException());
        });
        assertEquals("DOWN: Failed to construct kafka producer", sink.status().describe());
    }

    /** B1: down at the start, then away in the run: events wait, and what the queue drops is counted. */
    @Test
    void shouldWaitForTheTopicAndForAnswers()
    {
        final RuntimeException[] down = {new TimeoutException("Topic bbo_messages not present in metadata")};
        launch(() ->
        {
            if (down[0] != null)
            {
                throw down[0];
            }
            return producer;
        });
        assertEquals("DOWN: Topic bbo_messages not present in metadata", sink.status().describe());
        rig.publish(100);
        rig.server.invoke();
        rig.server.invoke();
        assertEquals(0, rig.counter("kafka.handled"));
        assertEquals(1, rig.counter("kafka.failures"));
        nowNs += 100_000_000;
        rig.server.invoke();
        assertEquals(2, rig.counter("kafka.failures"));
        down[0] = null;
        nowNs += 100_000_000;
        rig.invokeUntil("sent", () -> producer.history().size() == MAX_PENDING);
        assertEquals(SinkHealth.UP, sink.status().health());
        assertEquals(0, sink.status().reconnects());
        rig.publish(100);
        for (int i = 0; i < 5; i++)
        {
            rig.server.invoke();
        }
        assertEquals(MAX_PENDING, rig.counter("kafka.handled"), "pending events are bounded");
        nowNs += 1_000_000_001;
        rig.server.invoke();
        assertEquals("DOWN: no broker has acknowledged an event for a second", sink.status().describe());
        rig.invokeUntil("all", () ->
        {
            producer.completeNext();
            return rig.counter("kafka.handled") + rig.counter("kafka.dropped") == 200 && !producer.completeNext();
        });
        assertEquals(SinkHealth.UP, sink.status().health());
        assertEquals(1, sink.status().reconnects());
        end();
        assertTrue(rig.counter("kafka.dropped") > 0);
        assertEquals(rig.counter("kafka.handled"), rig.counter("kafka.delivered"));
    }

    /** Also after the topic was lost and found meanwhile. */
    @Test
    void shouldBeDownAgainWhenNoBrokerAcknowledges()
    {
        final String silent = "DOWN: no broker has acknowledged an event for a second";
        launch(() -> producer);
        rig.publish(4);
        rig.invokeUntil("sent", () -> producer.history().size() == 4);
        nowNs += 1_000_000_001;
        rig.server.invoke();
        assertEquals(silent, sink.status().describe());
        producer.partitionsForException = new TimeoutException("no metadata");
        rig.server.invoke();
        assertEquals("DOWN: no metadata", sink.status().describe());
        producer.partitionsForException = null;
        nowNs += 100_000_000;
        rig.server.invoke();
        assertEquals(SinkHealth.UP, sink.status().health());
        nowNs += 1_000_000_001;
        rig.server.invoke();
        assertEquals(silent, sink.status().describe());
        for (int i = 0; i < 4; i++)
        {
            assertTrue(producer.completeNext());
        }
        rig.server.invoke();
        assertEquals(SinkHealth.UP, sink.status().health());
        end();
    }

    /** Their time in the producer is over, but still no broker answers. */
    @Test
    void shouldStayDownWhenEventsExpire()
    {
        launch(() -> producer);
        rig.publish(2);
        rig.invokeUntil("sent", () -> producer.history().size() == 2);
        nowNs += 1_000_000_001;
        rig.server.invoke();
        assertTrue(producer.errorNext(new TimeoutException("planned")));
        assertEquals("DOWN: no broker has acknowledged an event for a second", sink.status().describe());
        assertTrue(producer.completeNext());
        rig.server.invoke();
        assertEquals(SinkHealth.UP, sink.status().health());
        end();
        assertEquals(1, rig.counter("kafka.unknown"));
    }

    /** Nothing is pending, so no acknowledgement comes: the age of the metadata shows that a broker is back. */
    @Test
    void shouldBeUpWhenABrokerAnswersAfterAllEventsExpired()
    {
        final String silent = "DOWN: no broker has acknowledged an event for a second";
        final double[] metadataAge = {10};
        final MetricName name = new MetricName("metadata-age", "producer-metrics", "", Map.of());
        producer.setMockMetrics(name, new Metric()
        {
            @Override
            public MetricName metricName()
            {
                return name;
            }

            @Override
            public Object metricValue()
            {
                return metadataAge[0];
            }
        });
        launch(() -> producer);
        rig.publish(1);
        rig.invokeUntil("sent", () -> producer.history().size() == 1);
        nowNs += 1_000_000_001;
        rig.server.invoke();
        assertTrue(producer.errorNext(new TimeoutException("planned")));
        metadataAge[0] = 62;
        nowNs += 60_000_000_000L;
        rig.server.invoke();
        assertEquals(silent, sink.status().describe(), "the metadata is from before");
        metadataAge[0] = 0.5;
        nowNs += 1_000_000_001;
        rig.server.invoke();
        assertEquals(SinkHealth.UP, sink.status().health());
        assertEquals(1, sink.status().reconnects());
        end();
    }

    /** B3: refused by send, refused by the broker, and unknown: each is counted once and nothing is sent again. */
    @Test
    void shouldCountEachKindOfFailure()
    {
        launch(() -> producer);
        rig.publish(4);
        rig.invokeUntil("sent", () -> producer.history().size() == 4);
        assertTrue(producer.errorNext(new RecordTooLargeException("planned")));
        assertEquals(1, rig.counter("kafka.refused"));
        assertEquals("DEGRADED: " + new RecordTooLargeException("planned"), sink.status().describe());
        assertTrue(producer.errorNext(new NetworkException("planned")));
        assertTrue(producer.errorNext(new TimeoutException("planned")));
        assertEquals(2, rig.counter("kafka.unknown"));
        assertTrue(producer.completeNext());
        assertEquals(SinkHealth.UP, sink.status().health());
        producer.sendException = new IllegalStateException("planned");
        rig.publish(3);
        rig.invokeUntil("refused", () -> rig.counter("kafka.refused") == 4);
        producer.sendException = null;
        rig.publish(2);
        rig.invokeUntil("sent", () -> producer.history().size() == 6);
        end();
        assertEquals(1, rig.counter("kafka.delivered"));
        assertEquals(4, rig.counter("kafka.refused"));
        assertEquals(4, rig.counter("kafka.unknown"), "the last two had no answer at the close");
    }

    /** These say that the broker has not stored the record. */
    @Test
    void shouldCountWhatABrokerRefuses()
    {
        final List<RuntimeException> refusals = List.of(new RecordTooLargeException("planned"),
            new RecordBatchTooLargeException("planned"), new TopicAuthorizationException("planned"),
            new ClusterAuthorizationException("planned"), new InvalidTopicException("planned"));
        launch(() -> producer);
        rig.publish(refusals.size());
        rig.invokeUntil("sent", () -> producer.history().size() == refusals.size());
        for (final RuntimeException refusal : refusals)
        {
            assertTrue(producer.errorNext(refusal));
        }
        end();
        assertEquals(refusals.size(), rig.counter("kafka.refused"));
    }

    /** The client waits for the topic inside its send; the events behind the failed one wait too. */
    @Test
    void shouldKeepTheOrderWhenASendFailsAgain()
    {
        final int[] failures = {0};
        launch(() -> new MockProducer<>(
            Cluster.empty(), false, null, new ByteArraySerializer(), new ByteArraySerializer())
        {
            @Override
            public synchronized Future<RecordMetadata> send(
                final ProducerRecord<byte[], byte[]> record, final Callback callback)
            {
                if (failures[0]-- > 0)
                {
                    callback.onCompletion(null, new TimeoutException("planned"));
                    return null;
                }
                return producer.send(record, callback);
            }
        });
        failures[0] = 3;
        rig.publish(5);
        rig.invokeUntil("sent", () ->
        {
            nowNs += 100_000_000;
            return producer.history().size() == 5;
        });
        for (int i = 0; i < 5; i++)
        {
            assertEquals(SinkRig.json(i + 1), text(producer.history().get(i).value()));
            assertTrue(producer.completeNext());
        }
        failures[0] = Integer.MAX_VALUE;
        rig.publish(4);
        rig.server.invoke();
        rig.server.invoke();
        end();
        assertEquals(5, rig.counter("kafka.delivered"));
        assertEquals(4, rig.counter("kafka.refused"), "events that were never sent");
        assertEquals(0, rig.counter("kafka.unknown"));
    }
}
