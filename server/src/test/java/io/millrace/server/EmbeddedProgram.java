package io.millrace.server;

/** A user's program: a server of each kind that handles a thousand events. With an argument: a pinned one. */
public final class EmbeddedProgram
{
    private static final int COUNT = 1_000;

    private long handled;
    private long sum;

    private EmbeddedProgram()
    {
    }

    public static void main(final String[] arguments)
    {
        if (arguments.length > 0)
        {
            pinned(Integer.parseInt(arguments[0]));
            return;
        }
        new EmbeddedProgram().run("default", null);
        new EmbeddedProgram().run("ring", Pipelines.ring());
        new EmbeddedProgram().run("spsc", Pipelines.spsc(256));
        new EmbeddedProgram().run("disruptor", Pipelines.disruptor(256));
        new EmbeddedProgram().run("direct", Pipelines.direct());
        System.out.println("closed");
    }

    private void run(final String name, final Pipelines.Spec<Tick> pipeline)
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 256);
        // A test demands that nothing is reported: no stall on a busy machine.
        final Server server = Server.launch(new Server.Context().stallTimeoutNs(Await.LONG_NS).flow("ticks", f ->
        {
            final Flow<Tick> flow = f.from(source).onFull(BackPressure.BLOCK);
            return (pipeline == null ? flow : flow.through(pipeline)).to("sum", (event, sequence, end) -> add(event));
        }));
        for (int i = 0; i < COUNT; i++)
        {
            final Tick event = source.claim();
            event.value = i;
            source.publish(event);
        }
        server.close();
        System.out.println(name + " " + handled + " " + sum);
    }

    private void add(final Tick event)
    {
        handled++;
        sum += event.value;
    }

    private static void pinned(final int cpu)
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 256);
        try (Server server = Server.launch(new Server.Context().agent("a", a -> a.cpu(cpu))
            .stallTimeoutNs(Await.LONG_NS).flow("ticks", f -> f.from(source).to("a", Tick.IGNORED))))
        {
            System.out.println("placed " + server.placements().get("a"));
        }
    }
}
