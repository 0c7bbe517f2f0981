package io.millrace.gateway.sink;

import io.millrace.pool.Range;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Settings of an {@link MqttSink}, with a fluent interface. {@link #conclude()} checks them; they are immutable
 * afterwards.
 */
public final class MqttContext
{
    /** The gateway's topic. */
    public static final String DEFAULT_TOPIC = "bbo_messages";
    /** The client library has so many places for events that it may not send yet; one more would block the agent. */
    public static final int MAX_PENDING = 64;
    /** Port of a broker without TLS. */
    public static final int DEFAULT_PORT = 1_883;

    private static final int MAX_TOPIC_BYTES = 65_535;

    final String host;
    final int port;
    String clientId = "millrace-gateway";
    int version = 5;
    int qos;
    String topic = DEFAULT_TOPIC;
    boolean topicPerSymbol;
    String user;
    byte[] password;
    boolean tls;
    boolean withSequence;
    int maxPending = MAX_PENDING;
    private boolean concluded;

    /**
     * The defaults: MQTT 5, QoS 0, no user, one topic.
     *
     * @param host of the broker.
     * @param port of the broker, 1 to 65,535.
     */
    public MqttContext(final String host, final int port)
    {
        this.host = Objects.requireNonNull(host, "host");
        this.port = port;
    }

    private MqttContext set(final Runnable change)
    {
        if (concluded)
        {
            throw new IllegalStateException("the settings of the MQTT sink are concluded: they cannot be changed");
        }
        change.run();
        return this;
    }

    /**
     * Identifier of the client; the broker disconnects an older client with the same one.
     *
     * @param id any text; default {@code millrace-gateway}.
     * @return this.
     */
    public MqttContext clientId(final String id)
    {
        return set(() -> clientId = Objects.requireNonNull(id, "id"));
    }

    /**
     * Version of the protocol.
     *
     * @param number 3 for 3.1.1, or 5; default 5.
     * @return this.
     */
    public MqttContext version(final int number)
    {
        return set(() -> version = number);
    }

    /**
     * Quality of service.
     *
     * @param level 0: an event counts as delivered when it is handed to the socket. 1: when the broker has acknowledged
     *              it; it may arrive twice. Default 0.
     * @return this.
     */
    public MqttContext qos(final int level)
    {
        return set(() -> qos = level);
    }

    /**
     * One topic for all symbols.
     *
     * @param name of the topic; default {@value #DEFAULT_TOPIC}.
     * @return this.
     */
    public MqttContext topic(final String name)
    {
        return set(() -> topic = Objects.requireNonNull(name, "name"));
    }

    /**
     * A topic for each symbol: {@code bbo/AAPL}. In a symbol, the characters that a topic gives a meaning ({@code + #
     * /}) and those that are not printable become {@code _}.
     *
     * @return this.
     */
    public MqttContext topicPerSymbol()
    {
        return set(() -> topicPerSymbol = true);
    }

    /**
     * Log in.
     *
     * @param name   of the user.
     * @param secret the password.
     * @return this.
     */
    public MqttContext user(final String name, final String secret)
    {
        return set(() ->
        {
            user = Objects.requireNonNull(name, "name");
            password = secret.getBytes(StandardCharsets.UTF_8);
        });
    }

    /**
     * Encrypt the connection with TLS; the JVM's trust store decides about the broker's certificate.
     *
     * @return this.
     */
    public MqttContext tls()
    {
        return set(() -> tls = true);
    }

    /**
     * End each JSON object with the sequence. With MQTT 5 it is a user property in any case.
     *
     * @return this.
     */
    public MqttContext withSequence()
    {
        return set(() -> withSequence = true);
    }

    /**
     * Greatest number of events that the client library has and that are not answered; the others wait in the sink's
     * queue.
     *
     * @param count 1 to {@value #MAX_PENDING}; default {@value #MAX_PENDING}.
     * @return this.
     */
    public MqttContext maxPending(final int count)
    {
        return set(() -> maxPending = count);
    }

    /**
     * Check all settings.
     *
     * @return this.
     * @throws IllegalArgumentException if one is out of range; the message names the value and the range.
     */
    public MqttContext conclude()
    {
        Range.check("port", port, 1, 65_535);
        Range.check("qos", qos, 0, 1);
        Range.check("maxPending", maxPending, 1, MAX_PENDING);
        if (version != 3 && version != 5)
        {
            throw new IllegalArgumentException("version " + version + " is neither 3 (for 3.1.1) nor 5");
        }
        // Here, because the library refuses it at each event.
        final int bytes = topic.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > MAX_TOPIC_BYTES || topic.chars().anyMatch(c -> c == '#' || c == '+' || c == 0) ||
            !StandardCharsets.UTF_8.newEncoder().canEncode(topic))
        {
            throw new IllegalArgumentException("topic \"" + topic + "\" is not 1.." + MAX_TOPIC_BYTES +
                " bytes of UTF-8 without #, + and NUL");
        }
        concluded = true;
        return this;
    }
}
