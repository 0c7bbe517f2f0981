package io.millrace.examples;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;

/**
 * The first program of the README: three pooled events from the main thread to a handler on an agent's thread.
 */
final class HelloEvents
{
    static final class Greeting extends BasePoolAware
    {
        long number;
    }

    public static void main(final String[] args)
    {
        final InVmSource<Greeting> source = new InVmSource<>(Greeting::new, 1_024);
        try (Server server = Server.launch(new Server.Context().flow("hello", f -> f.from(source)
            .to("print", (greeting, sequence, endOfBatch) -> System.out.println("hello " + greeting.number)))))
        {
            for (int i = 1; i <= 3; i++)
            {
                final Greeting greeting = source.claim();
                greeting.number = i;
                source.publish(greeting);
            }
            System.out.println(server.counters().value("hello.published") + " published");
        }
    }
}
