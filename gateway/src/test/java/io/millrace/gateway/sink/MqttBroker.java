package io.millrace.gateway.sink;

import java.io.IOException;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A broker in a process of its own, on loopback. */
interface MqttBroker extends AutoCloseable
{
    int port();

    void start() throws IOException;

    /** SIGTERM: it saves what it has acknowledged. */
    void stop() throws InterruptedException;

    /** SIGKILL. */
    void kill() throws InterruptedException;

    @Override
    void close();

    /** By name; without it the test is skipped. */
    static MqttBroker of(final String name, final Path folder) throws IOException, InterruptedException
    {
        if (name.equals("hivemq"))
        {
            assumeTrue(HiveMqBroker.isThere(), "no HiveMQ here: .ci/run copies it");
            return new HiveMqBroker(folder);
        }
        assumeTrue(MosquittoBroker.isInstalled(), "no mosquitto here");
        return new MosquittoBroker(folder, true);
    }
}
