package io.millrace.gateway.sink;

import io.millrace.gateway.Symbols;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** B2 without a broker. MqttBrokerTest has one. */
class MqttSinkTest
{
    @Test
    void shouldKeepTheNewestEventsWhileThereIsNoBroker()
    {
        final int closedPort = MosquittoBroker.freePort();
        final MqttSink sink = new MqttSink(new MqttContext("127.0.0.1", closedPort), SinkRig.backoff(5));
        try (SinkRig rig = new SinkRig(ThreadingMode.DEDICATED))
        {
            rig.add("mqtt", sink, SinkQueue.conflate(64)).drainTimeoutNs(TimeUnit.MILLISECONDS.toNanos(200)).launch();
            rig.publish(1_000);
            SinkRig.until("attempts", () -> sink.status().failures() >= 3);
            assertEquals(SinkHealth.DOWN, sink.status().health());
            SinkRig.until("displaced", () -> rig.counter("mqtt.displaced") >= 1_000 - SinkRig.SYMBOLS);
            assertEquals(1_000, rig.counter("mqtt.offered"));
            assertEquals(1_000 - SinkRig.SYMBOLS, rig.counter("mqtt.displaced"));
            assertEquals(0, rig.counter("mqtt.handled"));
        }
    }

    private static String refused(final UnaryOperator<MqttContext> change)
    {
        return assertThrows(IllegalArgumentException.class, () ->
            new MqttSink(change.apply(new MqttContext("localhost", 1_883)), SinkRig.backoff(1))).getMessage();
    }

    @Test
    void shouldRefuseImpossibleSettings()
    {
        assertEquals("qos 2 is not in 0..1", refused(context -> context.qos(2)));
        assertEquals("version 4 is neither 3 (for 3.1.1) nor 5", refused(context -> context.version(4)));
        assertEquals("maxPending 0 is not in 1..64", refused(context -> context.maxPending(0)));
        assertEquals("topic \"a/#\" is empty or has a # or +", refused(context -> context.topic("a/#")));
        assertEquals("port 0 is not in 1..65535", assertThrows(IllegalArgumentException.class,
            () -> new MqttSink(new MqttContext("localhost", 0), SinkRig.backoff(1))).getMessage());
    }

    @Test
    void shouldReplaceWhatATopicCannotHave()
    {
        assertEquals("bbo/BRK.B", MqttSink.symbolTopic(Symbols.of("BRK.B")));
        assertEquals("bbo/A_____B", MqttSink.symbolTopic(0x41_2B_23_2F_00_FF_42_20L));
    }
}
