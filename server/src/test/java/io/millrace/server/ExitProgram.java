package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** A part of a server calls {@code System.exit(3)}, and a shutdown hook closes the server. */
final class ExitProgram
{
    private static final int CODE = 3;

    private ExitProgram()
    {
    }

    /** @param args name of the part. */
    public static void main(final String[] args)
    {
        final String part = args[0];
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final boolean isInvoked = part.equals("invokedHandler");
        final Server server = Server.create(new Server.Context().drainTimeoutNs(TimeUnit.MILLISECONDS.toNanos(100))
            .threadingMode(isInvoked ? ThreadingMode.INVOKER : ThreadingMode.DEDICATED)
            .errorHandler(ex -> exitIf(part.startsWith("error")))
            .onState((from, to) -> exitIf(part.equals(to.name())))
            .service(service(part))
            .flow("ticks", f -> f.from(source)
                .through(part.equals("directHandler") ? Pipelines.direct() : Pipelines.ring()).to("a", handler(part))));
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        server.start();
        final Tick tick = source.claim();
        source.publish(tick);
        if (isInvoked)
        {
            server.invoke();
        }
        if (!part.equals("errorOfTheAgent") && !part.equals("FAILED"))
        {
            server.close();
        }
        Await.until("the JVM ends", () -> false);
    }

    private static void exitIf(final boolean isPlanned)
    {
        if (isPlanned)
        {
            System.exit(CODE);
        }
    }

    private static Service service(final String part)
    {
        return new Service()
        {
            @Override
            public String name()
            {
                return "service";
            }

            @Override
            public void onStart(final ServiceContext context)
            {
                exitIf(part.equals("startOfAService"));
            }

            @Override
            public void close()
            {
                exitIf(part.equals("closeOfAService"));
                if (part.equals("errorOfTheClose"))
                {
                    throw new IllegalStateException("planned");
                }
            }
        };
    }

    private static EventHandler<Tick> handler(final String part)
    {
        return new EventHandler<>()
        {
            @Override
            public void onStart()
            {
                exitIf(part.equals("startOfAHandler"));
            }

            @Override
            public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
            {
                exitIf(List.of("handler", "directHandler", "invokedHandler").contains(part));
                if (part.equals("errorOfTheAgent") || part.equals("FAILED"))
                {
                    throw new IllegalStateException("planned");
                }
            }

            @Override
            public void onClose()
            {
                exitIf(part.equals("closeOfAHandler"));
            }
        };
    }
}
