package io.millrace.examples;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.BackPressure;
import io.millrace.server.ErrorPolicy;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;

import java.io.PrintStream;

/**
 * An application with its own threads and life cycle, and a server as one of its parts. Its thread publishes readings,
 * a handler of the first flow publishes into the second, and one event fails and is skipped. All parts end in order:
 * the application's threads, the server, then the output of its handlers.
 */
final class EmbedInYourApp
{
    private static final int READINGS = 1_000;
    private static final int HOT_DEGREES = 90;
    private static final int BROKEN = -1;

    static final class Reading extends BasePoolAware
    {
        int sensor;
        int degrees;
    }

    static final class Alarm extends BasePoolAware
    {
        int sensor;
        int degrees;
    }

    private final PrintStream out;
    private final InVmSource<Reading> readings = new InVmSource<>(Reading::new, 256);
    private final InVmSource<Alarm> alarms = new InVmSource<>(Alarm::new, 64);
    private final Thread sensors = new Thread(this::readSensors, "sensors");
    private final Server server;

    private EmbedInYourApp(final PrintStream out)
    {
        this.out = out;
        // Flows in the order in which the data flows: they are drained in this order.
        server = Server.launch(new Server.Context()
            .name("app")
            .flow("readings", f -> f.from(readings).onFull(BackPressure.BLOCK).to("watch", this::onReading))
            .flow("alarms", f -> f.from(alarms).onFull(BackPressure.BLOCK).to("sound", this::onAlarm))
            .onError(ErrorPolicy.SKIP_AND_RECORD)
            .deadLetters((stage, sequence, event, cause) ->
                out.println("skipped event " + sequence + " of stage " + stage + ": " + cause.getMessage())));
        sensors.start();
    }

    /** A thread of the application: the one that publishes readings. */
    private void readSensors()
    {
        for (int i = 0; i < READINGS; i++)
        {
            final Reading reading = readings.claim();
            if (reading == null)
            {
                // The server was closed early, as STOP_SERVER does.
                return;
            }
            reading.sensor = i;
            reading.degrees = i == 500 ? BROKEN : i % 100;
            readings.publish(reading);
        }
    }

    /** Called on the thread of agent "watch", which so becomes the publishing thread of the alarms. */
    private void onReading(final Reading reading, final long sequence, final boolean endOfBatch)
    {
        if (reading.degrees == BROKEN)
        {
            throw new IllegalStateException("sensor " + reading.sensor + " is broken");
        }
        if (reading.degrees >= HOT_DEGREES)
        {
            final Alarm alarm = alarms.claim();
            if (alarm != null)
            {
                alarm.sensor = reading.sensor;
                alarm.degrees = reading.degrees;
                alarms.publish(alarm);
            }
        }
    }

    /** On the thread of agent "sound". */
    private void onAlarm(final Alarm alarm, final long sequence, final boolean endOfBatch)
    {
        if (alarm.degrees == 99)
        {
            out.println("sensor " + alarm.sensor + " is at 99 degrees");
        }
    }

    /** Wait for the application's thread, then close the server, which first handles the events in flight. */
    private void stop() throws InterruptedException
    {
        sensors.join();
        server.close();
    }

    public static void main(final String[] args) throws InterruptedException
    {
        run(System.out);
    }

    static void run(final PrintStream out) throws InterruptedException
    {
        final EmbedInYourApp app = new EmbedInYourApp(out);
        app.stop();
        for (final String name : new String[]{"watch.handled", "sound.handled", "server.deadLetters"})
        {
            out.println(name + " = " + app.server.counters().value(name));
        }
        final String inFlight = app.server.pools().describeInFlight();
        out.println(inFlight.isEmpty() ? "every event is back in its pool" : inFlight);
    }
}
