package io.millrace.examples;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;
import io.millrace.server.HandlerService;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ServiceContext;

import java.io.PrintStream;

/**
 * A handler that the program's code does not name. {@link java.util.ServiceLoader} finds it by the file {@code
 * META-INF/services/io.millrace.server.Service} in any jar of the class path. A flow refers to it by its name.
 */
public final class PluginService
{
    private PluginService()
    {
    }

    /**
     * The event that program and plug-in agree on.
     */
    public static final class Tick extends BasePoolAware
    {
        private long price;

        /**
         * Fill it.
         *
         * @param newPrice in cents.
         */
        public void price(final long newPrice)
        {
            price = newPrice;
        }

        /**
         * The price.
         *
         * @return in cents.
         */
        public long price()
        {
            return price;
        }
    }

    /**
     * The plug-in: keeps the highest price, where any thread may read it as a counter of the server.
     */
    public static final class HighestPrice implements HandlerService<Tick>
    {
        private final PaddedLong highest = new PaddedLong(Long.MIN_VALUE);

        /**
         * For the {@code ServiceLoader}.
         */
        public HighestPrice()
        {
        }

        @Override
        public String name()
        {
            return "highest-price";
        }

        @Override
        public Class<Tick> eventType()
        {
            return Tick.class;
        }

        @Override
        public void onStart(final ServiceContext context)
        {
            context.counters().add(name() + ".cents", "highest price so far, in cents", highest::getOpaque);
        }

        @Override
        public void onEvent(final Tick tick, final long sequence, final boolean endOfBatch)
        {
            // One writer, the agent's thread: no compare and set is needed.
            highest.setOpaque(Math.max(highest.getPlain(), tick.price()));
        }
    }

    /**
     * Publish some prices.
     *
     * @param args none.
     */
    public static void main(final String[] args)
    {
        run(System.out);
    }

    static void run(final PrintStream out)
    {
        final InVmSource<Tick> ticks = new InVmSource<>(Tick::new, 64);
        final Server server = Server.launch(new Server.Context()
            .discoverServices(PluginService.class.getClassLoader())
            .flow("ticks", f -> f.from(ticks).toService("watch", "highest-price")));
        for (final long price : new long[]{10_050, 10_075, 10_025})
        {
            final Tick tick = ticks.claim();
            tick.price(price);
            ticks.publish(tick);
        }
        server.close();
        out.println("ticks handled: " + server.counters().value("watch.handled"));
        out.println("highest price: " + server.counters().value("highest-price.cents") + " cents");
    }
}
