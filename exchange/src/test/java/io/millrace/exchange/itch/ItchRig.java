package io.millrace.exchange.itch;

import com.paritytrading.nassau.moldudp64.MoldUDP64Client;
import com.paritytrading.nassau.moldudp64.MoldUDP64ClientState;
import com.paritytrading.nassau.moldudp64.MoldUDP64ClientStatusListener;
import io.millrace.engine.EngineContext;
import io.millrace.engine.book.OrderConsumer;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.engine.service.MarketDataEvent;
import io.millrace.engine.service.MarketDataPublisher;
import io.millrace.engine.service.MatchingService;
import io.millrace.engine.service.OrderCommand;
import io.millrace.exchange.ExchangeRig;
import io.millrace.exchange.Listing;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.server.pipeline.EventHandler;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;

/** An engine that publishes ITCH on the loopback interface, on the test's thread. */
final class ItchRig implements AutoCloseable
{
    static final int GOLD = 7;
    static final int SILVER = 900;
    static final int HIDDEN = 8;
    static final int[] SYMBOLS = {GOLD, SILVER};
    static final String[] STOCKS = {"GOLD", "SILVER22"};
    static final long[] UNITS = {100, 1};
    static final long[] SHARES = {1, 10};

    final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 64);
    final List<Throwable> errors = new ArrayList<>();
    final MatchingService matching;
    final ItchPublisher publisher;
    final Server server;
    final InetSocketAddress group;
    /** Lots of each symbol. */
    final long[] traded = new long[3];
    /** How far the clock is ahead. */
    long skippedNs;

    /** Before the ITCH stage begins, the commands of this handler are executed. */
    interface Prologue
    {
        void run(MatchingService matching);
    }

    ItchRig(final Prologue prologue) throws IOException
    {
        final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, 4_096);
        final InVmSource<MarketDataEvent> changes = new InVmSource<>(MarketDataEvent::new, 4_096);
        final MarketDataPublisher marketData = new MarketDataPublisher("market-data", changes, true, false).withTape();
        final EngineContext context = new EngineContext().marketData(marketData).symbol(spec(HIDDEN));
        final ItchContext itch = new ItchContext();
        for (int i = 0; i < SYMBOLS.length; i++)
        {
            context.symbol(spec(SYMBOLS[i]));
            itch.symbol(new Listing(spec(SYMBOLS[i]), STOCKS[i], UNITS[i], SHARES[i]));
        }
        matching = new MatchingService("matching", context, executions);
        group = new InetSocketAddress(ItchContext.DEFAULT_GROUP, ExchangeRig.freePort());
        publisher = new ItchPublisher(itch.destination(group, null)
            .clocks(() -> System.nanoTime() + skippedNs, () -> 1_000_000_000L * 86_400 + 5));
        server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).errorHandler(errors::add)
            .service(marketData)
            .flow("commands", f -> f.from(commands).to("match", new Beginning(prologue)))
            .flow("executions", f -> f.from(executions).through(Pipelines.direct())
                .to("answers", (event, sequence, endOfBatch) ->
                {
                    if (event.kind() == ExecutionKind.TRADE)
                    {
                        traded[event.symbol() == GOLD ? 0 : event.symbol() == SILVER ? 1 : 2] += event.size();
                    }
                }))
            .flow("changes", f -> f.from(changes).to("itch", publisher)));
        publisher.addTo(server.counters(), "itch");
    }

    /** As a durable engine does: recovers first, muted. */
    private final class Beginning implements EventHandler<OrderCommand>
    {
        private final Prologue prologue;

        Beginning(final Prologue prologue)
        {
            this.prologue = prologue;
        }

        @Override
        public void onStart()
        {
            matching.engine().muteMarketData(true);
            prologue.run(matching);
            matching.engine().muteMarketData(false);
            publisher.begin(matching.engine());
        }

        @Override
        public void onEvent(final OrderCommand command, final long sequence, final boolean endOfBatch)
        {
            matching.onEvent(command, sequence, endOfBatch);
        }
    }

    static SymbolSpec spec(final int symbol)
    {
        return SymbolSpec.future(symbol).withOrderCapacity(RandomCommands.CAPACITY).withWindowTicks(64);
    }

    void give(final RandomCommands random, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            commands.publish(random.next(commands.claim()));
        }
        server.invoke();
    }

    /** A side of the engine's book by priority: price and shares of each visible order. */
    List<String> side(final int index, final byte side)
    {
        final List<String> found = new ArrayList<>();
        matching.engine().book(SYMBOLS[index]).forEachOrder(side, new OrderConsumer()
        {
            private long visible;

            @Override
            public void onVisible(final long orderId, final long lots)
            {
                visible = lots;
            }

            @Override
            public void onOrder(final long orderId, final long uid, final byte bookSide, final long price,
                final long size, final long filled, final long reservePrice)
            {
                found.add(price * UNITS[index] + " x " + visible * SHARES[index]);
            }
        });
        return found;
    }

    List<String> bids(final int index)
    {
        return side(index, Side.BID);
    }

    List<String> asks(final int index)
    {
        return side(index, Side.ASK);
    }

    /** A socket of the group on the loopback interface. */
    DatagramChannel join() throws IOException
    {
        final DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 20);
        channel.bind(group);
        channel.join(group.getAddress(), NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()));
        channel.configureBlocking(false);
        return channel;
    }

    @Override
    public void close()
    {
        server.close();
    }

    /** Nassau's client of a session, whose books Juncture builds. */
    final class Client implements AutoCloseable
    {
        final JunctureBooks books;
        private final long first;
        final DatagramChannel channel = join();
        final DatagramChannel requests = DatagramChannel.open(StandardProtocolFamily.INET);
        final MoldUDP64Client nassau;
        long messages;
        long requested;
        boolean ended;
        private final ByteBuffer lost = ByteBuffer.allocate(2_048);

        /** Begins with a sequence. */
        Client(final long first, final JunctureBooks books) throws IOException
        {
            this.first = first;
            this.books = books;
            requests.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).configureBlocking(false);
            nassau = new MoldUDP64Client(channel, requests, publisher.requestServer(), this::onMessage,
                new Listener(), first);
        }

        private void onMessage(final ByteBuffer message) throws IOException
        {
            messages++;
            books.read(message);
        }

        /** Reads all that is there. */
        void poll() throws IOException
        {
            long before;
            do
            {
                before = messages;
                nassau.receive();
                nassau.receiveResponse();
            }
            while (messages > before);
        }

        /** Loses a packet. */
        void lose() throws IOException
        {
            channel.receive(lost.clear());
        }

        /** Receives up to the last message that was sent. */
        void catchUp() throws IOException
        {
            while (nextSequence() <= server.counters().value("itch.messages"))
            {
                server.invoke();
                nassau.receive();
                nassau.receiveResponse();
            }
        }

        /** Sequence of the next message. */
        long nextSequence()
        {
            return first + messages;
        }

        @Override
        public void close() throws IOException
        {
            nassau.close();
            channel.close();
            requests.close();
        }

        /** Counts what happens. */
        private final class Listener implements MoldUDP64ClientStatusListener
        {
            @Override
            public void state(final MoldUDP64Client client, final MoldUDP64ClientState next)
            {
            }

            @Override
            public void downstream(final MoldUDP64Client client, final long sequence, final int count)
            {
            }

            @Override
            public void request(final MoldUDP64Client client, final long sequence, final int count)
            {
                requested++;
            }

            @Override
            public void endOfSession(final MoldUDP64Client client)
            {
                ended = true;
            }
        }
    }
}
