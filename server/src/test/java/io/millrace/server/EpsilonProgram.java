package io.millrace.server;

/** Passes events from thread to thread; to be run in a JVM that never frees memory. */
public final class EpsilonProgram
{
    private EpsilonProgram()
    {
    }

    public static void main(final String[] arguments)
    {
        final long count = Long.parseLong(arguments[0]);
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 8_192);
        final Server server = Server.launch(new Server.Context().stallTimeoutNs(Await.LONG_NS)
            .flow("ticks", f -> f.from(source).onFull(BackPressure.BLOCK).to("a", Tick.IGNORED)));
        for (long i = 0; i < count; i++)
        {
            final Tick event = source.claim();
            event.value = i;
            source.publish(event);
        }
        server.close();
        System.out.println("handled " + server.counters().value("a.handled") +
            " errors " + server.counters().value("server.errors"));
    }
}
