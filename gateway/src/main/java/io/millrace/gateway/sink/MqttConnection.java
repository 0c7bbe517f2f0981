package io.millrace.gateway.sink;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientBuilder;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.lifecycle.MqttClientConnectedContext;
import com.hivemq.client.mqtt.lifecycle.MqttClientConnectedListener;
import com.hivemq.client.mqtt.lifecycle.MqttClientDisconnectedListener;
import com.hivemq.client.mqtt.mqtt3.Mqtt3AsyncClient;
import com.hivemq.client.mqtt.mqtt3.Mqtt3ClientBuilder;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import com.hivemq.client.mqtt.mqtt5.lifecycle.Mqtt5ClientConnectedContext;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAckRestrictions;

import java.util.concurrent.CompletableFuture;

/** The client of one of the two versions of the protocol. */
interface MqttConnection
{
    /** Seconds without a packet after which the client asks the broker for a sign of life. */
    int KEEP_ALIVE_S = 10;

    void connect();

    CompletableFuture<?> publish(String topic, byte[] payload, long session, long sequence);

    CompletableFuture<?> disconnect();

    static MqttConnection of(
        final MqttContext context, final MqttClientConnectedListener up, final MqttClientDisconnectedListener down)
    {
        MqttClientBuilder builder = MqttClient.builder().identifier(context.clientId)
            .serverHost(context.host).serverPort(context.port)
            .addConnectedListener(up).addDisconnectedListener(down);
        builder = context.tls ? builder.sslWithDefaultConfig() : builder;
        final MqttQos qos = context.qos == 0 ? MqttQos.AT_MOST_ONCE : MqttQos.AT_LEAST_ONCE;
        return context.version == 3 ?
            new Version3(client(builder.useMqttVersion3(), context), qos) :
            new Version5(client(builder.useMqttVersion5(), context), qos);
    }

    /** How many events the broker takes without an acknowledgement. */
    static int receiveMaximum(final MqttClientConnectedContext answer)
    {
        return answer instanceof Mqtt5ClientConnectedContext connected ?
            connected.getConnAck().getRestrictions().getReceiveMaximum() :
            Mqtt5ConnAckRestrictions.DEFAULT_RECEIVE_MAXIMUM;
    }

    private static Mqtt3AsyncClient client(final Mqtt3ClientBuilder builder, final MqttContext context)
    {
        return context.user == null ? builder.buildAsync() : builder.simpleAuth()
            .username(context.user).password(context.password).applySimpleAuth().buildAsync();
    }

    private static Mqtt5AsyncClient client(final Mqtt5ClientBuilder builder, final MqttContext context)
    {
        return context.user == null ? builder.buildAsync() : builder.simpleAuth()
            .username(context.user).password(context.password).applySimpleAuth().buildAsync();
    }

    /** MQTT 3.1.1: no place for the sequence outside of the payload. */
    final class Version3 implements MqttConnection
    {
        private final Mqtt3AsyncClient client;
        private final MqttQos qos;

        Version3(final Mqtt3AsyncClient client, final MqttQos qos)
        {
            this.client = client;
            this.qos = qos;
        }

        @Override
        public void connect()
        {
            client.connectWith().cleanSession(true).keepAlive(KEEP_ALIVE_S).send();
        }

        @Override
        public CompletableFuture<?> publish(
            final String topic, final byte[] payload, final long session, final long sequence)
        {
            return client.publishWith().topic(topic).qos(qos).payload(payload).send();
        }

        @Override
        public CompletableFuture<?> disconnect()
        {
            return client.disconnect();
        }
    }

    /** MQTT 5. */
    final class Version5 implements MqttConnection
    {
        private final Mqtt5AsyncClient client;
        private final MqttQos qos;

        Version5(final Mqtt5AsyncClient client, final MqttQos qos)
        {
            this.client = client;
            this.qos = qos;
        }

        @Override
        public void connect()
        {
            client.connectWith().cleanStart(true).keepAlive(KEEP_ALIVE_S).send();
        }

        @Override
        public CompletableFuture<?> publish(
            final String topic, final byte[] payload, final long session, final long sequence)
        {
            return client.publishWith().topic(topic).qos(qos).payload(payload)
                .userProperties()
                .add("session", Long.toUnsignedString(session)).add("sequence", Long.toUnsignedString(sequence))
                .applyUserProperties().send();
        }

        @Override
        public CompletableFuture<?> disconnect()
        {
            return client.disconnect();
        }
    }
}
