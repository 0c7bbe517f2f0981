package io.millrace.gateway.sink;

import io.millrace.server.ThreadingMode;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** B1, B3: the Kafka sink with a real broker, which the test starts late, kills and starts again. */
@Tag("faults")
class KafkaBrokerTest
{
    @TempDir
    private Path folder;

    @BeforeEach
    void checkBroker()
    {
        assumeTrue(KafkaBroker.isThere(), "no broker on the class path: -Pfaults has it");
    }

    private static KafkaSink sink(final Properties properties)
    {
        return new KafkaSink(properties, KafkaSink.DEFAULT_TOPIC, true, KafkaSink.DEFAULT_MAX_PENDING,
            SinkRig.backoff(21), System::nanoTime);
    }

    /** All records of the topic, which has one partition. */
    static List<ConsumerRecord<String, String>> read(final KafkaBroker broker)
    {
        final Properties properties = new Properties();
        properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.address());
        final List<ConsumerRecord<String, String>> records = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
            new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer()))
        {
            final TopicPartition partition = new TopicPartition(KafkaSink.DEFAULT_TOPIC, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            final long end = consumer.endOffsets(List.of(partition)).get(partition);
            while (consumer.position(partition) < end)
            {
                consumer.poll(Duration.ofSeconds(1)).forEach(records::add);
            }
        }
        return records;
    }

    private static long sequence(final ConsumerRecord<String, String> record)
    {
        return Long.parseLong(new String(record.headers().lastHeader("sequence").value(), StandardCharsets.US_ASCII));
    }

    /** Down at the start, then killed twice in the run: within the delivery timeout nothing is lost or repeated. */
    @Test
    void shouldDeliverAnHourOfEventsInOrderOnceEachOverKills() throws Exception
    {
        try (KafkaBroker broker = new KafkaBroker(folder);
            SinkRig rig = new SinkRig(ThreadingMode.DEDICATED))
        {
            final KafkaSink sink = sink(KafkaSink.properties(broker.address()));
            rig.add("kafka", sink, SinkQueue.dropNewest(32_768)).launch();
            rig.publish(5_000);
            assertEquals(SinkHealth.DOWN, sink.status().health());
            broker.start();
            SinkRig.until("the first events", () -> sink.status().delivered() == 5_000);
            for (int kill = 1; kill <= 2; kill++)
            {
                rig.publish(5_000);
                broker.kill();
                rig.publish(4_000);
                SinkRig.until("DOWN", () -> sink.status().health() == SinkHealth.DOWN);
                broker.start();
                SinkRig.until("UP", () -> sink.status().health() == SinkHealth.UP);
            }
            rig.publish(SinkRig.HOUR_EVENTS - 23_000);
            SinkRig.until("all", () -> sink.status().delivered() == SinkRig.HOUR_EVENTS);
            assertEquals(SinkHealth.UP, sink.status().health());
            assertTrue(sink.status().reconnects() >= 2, "reconnects " + sink.status().reconnects());
            rig.end();
            rig.checkSums("kafka");
            final List<ConsumerRecord<String, String>> records = read(broker);
            assertEquals(SinkRig.HOUR_EVENTS, records.size());
            for (int i = 0; i < records.size(); i++)
            {
                assertEquals(SinkRig.json(i + 1), records.get(i).value());
                assertEquals(i + 1, sequence(records.get(i)));
                assertEquals("S" + (i + 1) % SinkRig.SYMBOLS, records.get(i).key());
            }
            System.out.println("Kafka, late start and 2 kills: " + records.size() + " in order, once each");
        }
    }

    /** Outages beyond the delivery timeout, a small queue, and records that the broker refuses: the sums are exact. */
    @Test
    void shouldCountEveryEventWhenOutagesAreTooLong() throws Exception
    {
        try (KafkaBroker broker = new KafkaBroker(folder);
            SinkRig rig = new SinkRig(ThreadingMode.DEDICATED))
        {
            final Properties properties = KafkaSink.properties(broker.address());
            properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 500);
            properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 1_000);
            final KafkaSink sink = sink(properties);
            rig.add("kafka", sink, SinkQueue.dropNewest(512)).launch();
            for (int i = 0; i < 3; i++)
            {
                broker.start();
                final long delivered = sink.status().delivered();
                SinkRig.until("delivers", () ->
                {
                    rig.publish(10);
                    return sink.status().delivered() > delivered;
                });
                rig.publish(3_000);
                broker.kill();
                final long unknown = sink.status().unknown();
                rig.publish(2_000);
                SinkRig.until("unknown", () -> sink.status().unknown() > unknown);
            }
            broker.start();
            rig.end();
            rig.checkSums("kafka");
            final List<ConsumerRecord<String, String>> records = read(broker);
            final Set<Long> distinct = new HashSet<>();
            records.forEach(record -> distinct.add(sequence(record)));
            final long delivered = rig.counter("kafka.delivered");
            final long unknown = rig.counter("kafka.unknown");
            System.out.println("Kafka, 3 outages beyond the delivery timeout: offered " + rig.counter("kafka.offered") +
                ", acknowledged " + delivered + ", refused " + rig.counter("kafka.refused") + ", unknown " + unknown +
                ", dropped by the queue " + rig.counter("kafka.dropped") + ", received " + records.size());
            assertEquals(records.size(), distinct.size(), "an event was stored twice");
            assertTrue(records.size() >= delivered, records.size() + " received, " + delivered + " acknowledged");
            assertTrue(records.size() <= delivered + unknown, records.size() + " received, unknown " + unknown);
        }
    }

    @Test
    void shouldCountRecordsThatAreTooLarge() throws Exception
    {
        try (KafkaBroker broker = new KafkaBroker(folder);
            SinkRig rig = new SinkRig(ThreadingMode.DEDICATED))
        {
            broker.start();
            final Properties properties = KafkaSink.properties(broker.address());
            properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 100);
            final KafkaSink sink = sink(properties);
            rig.add("kafka", sink, SinkQueue.dropNewest(1_024)).launch();
            rig.publish(1_000);
            SinkRig.until("refused", () -> sink.status().refused() == 1_000);
            assertTrue(sink.status().describe().startsWith("DEGRADED: org.apache.kafka.common.errors.RecordTooLarge"),
                sink.status().describe());
            rig.end();
            rig.checkSums("kafka");
        }
    }
}
