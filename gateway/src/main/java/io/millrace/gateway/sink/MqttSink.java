package io.millrace.gateway.sink;

import com.hivemq.client.mqtt.exceptions.MqttEncodeException;
import com.hivemq.client.mqtt.lifecycle.MqttClientConnectedContext;
import com.hivemq.client.mqtt.lifecycle.MqttClientDisconnectedContext;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Publishes each event to an MQTT broker as a JSON object. Needs {@code com.hivemq:hivemq-mqtt-client} on the class
 * path; that library allocates, and has threads of its own.
 * <p>
 * While the broker is away, no further events are taken: they wait in the sink's queue. With QoS 1, events without an
 * acknowledgement are sent again after a reconnect, so a subscriber may get an event twice, with the same sequence.
 * <p>
 * An event is <b>delivered</b> when the broker has acknowledged it (QoS 1), or when it was handed to the socket (QoS
 * 0). It is <b>refused</b> if an MQTT 5 broker answers with an error or takes no packet of its length, and
 * <b>unknown</b> after any other failure.
 */
public final class MqttSink implements Sink
{
    private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    /** A connection that ends sooner was none: two clients with one name would replace each other at full speed. */
    private static final long STEADY_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long CLOSE_POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /**
     * The library has 64 places for events that it may not send yet. It gives those of sent events back 32 at a time,
     * so up to 31 are not free.
     */
    private static final int FREE_PLACES = 33;

    /**
     * The client of one start and what it has. Its calls that come after its end change nothing of the next start: its
     * monitor orders them and the close.
     */
    private final class Link
    {
        final PendingEvents pending = new PendingEvents(status, context.maxPending);
        final MqttConnection connection = MqttConnection.of(context, this::onConnected, this::onDisconnected);
        /** Written by the library's thread, read by the agent. */
        volatile boolean connected;
        /** Since when it is connected. The library's threads; written before connected, read behind it. */
        long connectedNs;
        /** Of the greatest number of pending events, what this connection does not take; written as connectedNs. */
        int unusable;
        /** Written by the agent, read by the library's thread. */
        volatile boolean closing;

        synchronized void onConnected(final MqttClientConnectedContext answer)
        {
            if (closing)
            {
                connection.disconnect();
                return;
            }
            connectedNs = clock.nanoTime();
            unusable = Math.max(0, context.maxPending - FREE_PLACES - MqttConnection.receiveMaximum(answer));
            connected = true;
            status.up();
        }

        /** Also after a failed attempt; the library's thread, one call at a time. */
        synchronized void onDisconnected(final MqttClientDisconnectedContext why)
        {
            final boolean wasSteady = connected && clock.nanoTime() - connectedNs >= STEADY_NS;
            connected = false;
            if (closing)
            {
                return;
            }
            if (wasSteady)
            {
                backoff.reset();
            }
            status.down(reason(why.getCause()));
            // Not delay(): an attempt after the close would send the events that the library still has.
            why.getReconnector().republishIfSessionExpired(true).reconnectWhen(
                new CompletableFuture<Void>().completeOnTimeout(null, backoff.nextNs(), TimeUnit.NANOSECONDS),
                (none, failure) -> why.getReconnector().reconnect(!closing));
        }

        synchronized void close()
        {
            closing = true;
        }

        private synchronized void degraded(final String reason)
        {
            if (!closing)
            {
                status.degraded(reason);
            }
        }

        void onAnswer(final Throwable failure)
        {
            if (failure == null)
            {
                pending.delivered();
            }
            else if (isRefusal(failure) || failure instanceof CompletionException && isRefusal(failure.getCause()))
            {
                pending.refused();
                degraded(failure.toString());
            }
            else
            {
                pending.unknown();
            }
        }
    }

    private final MqttContext context;
    private final ReconnectBackoff backoff;
    private final NanoClock clock;
    private final SinkStatus status = new SinkStatus();
    private final BboEncoder encoder;
    /** Null before the first start. The agent. */
    private Link link;

    /**
     * A sink that connects when the server starts.
     *
     * @param context its settings; this call concludes it.
     * @param backoff delays between attempts to connect; used by this sink alone.
     * @throws IllegalArgumentException if a setting is out of range.
     */
    public MqttSink(final MqttContext context, final ReconnectBackoff backoff)
    {
        this(context, backoff, SystemNanoClock.INSTANCE);
    }

    MqttSink(final MqttContext context, final ReconnectBackoff backoff, final NanoClock clock)
    {
        this.context = context.conclude();
        this.backoff = Objects.requireNonNull(backoff, "backoff");
        this.clock = clock;
        encoder = new BboEncoder(context.withSequence);
    }

    @Override
    public SinkStatus status()
    {
        return status;
    }

    @Override
    public void onStart()
    {
        link = new Link();
        link.connection.connect();
    }

    private static String reason(final Throwable failure)
    {
        final Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    @Override
    public int demand()
    {
        return link.connected ? link.pending.capacity() - link.unusable : 0;
    }

    @Override
    public void onEvent(final BboEvent event, final long sequence, final boolean endOfBatch)
    {
        final int length = encoder.json(event);
        final Link its = link;
        its.pending.add();
        its.connection.publish(
            topic(event), Arrays.copyOf(encoder.bytes(), length), event.session(), event.sequence())
            .whenComplete((result, failure) -> its.onAnswer(failure));
    }

    private String topic(final BboEvent event)
    {
        return context.topicPerSymbol ? symbolTopic(event.symbol()) : context.topic;
    }

    static String symbolTopic(final long symbol)
    {
        final StringBuilder topic = new StringBuilder("bbo/");
        for (int i = 0; i < Symbols.length(symbol); i++)
        {
            final int c = Symbols.charAt(symbol, i);
            topic.append(c > 32 && c < 127 && c != '+' && c != '#' && c != '/' ? (char)c : '_');
        }
        return topic.toString();
    }

    /** By the broker, or by the library before it sends: a packet that is longer than the broker takes. */
    private static boolean isRefusal(final Throwable failure)
    {
        return failure instanceof Mqtt5PubAckException || failure instanceof MqttEncodeException;
    }

    /** Waits at most a second for the answers that are missing. */
    @Override
    public void onClose()
    {
        final Link its = link;
        if (its != null)
        {
            final long startNs = System.nanoTime();
            while (its.connected && its.pending.count() > 0 && System.nanoTime() - startNs < CLOSE_TIMEOUT_NS)
            {
                LockSupport.parkNanos(CLOSE_POLL_NS);
            }
            its.close();
            its.connection.disconnect();
            its.pending.close();
        }
        status.closed();
    }
}
