package io.millrace.gateway.udp;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.RealTime;
import io.millrace.gateway.SymbolStates;
import io.millrace.gateway.bbo.BboPacketCodec;
import io.millrace.gateway.bbo.PacketForm;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.Range;
import io.millrace.server.ClaimedEvent;
import io.millrace.server.Counters;
import io.millrace.server.EventPublication;
import io.millrace.server.EventSource;
import io.millrace.server.codec.DecodeResult;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.SystemEpochClock;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * Receives BBO packets from one or two UDP sockets and publishes them as {@link BboEvent}s. The sockets do not block:
 * the agent's idle strategy decides how the thread waits.
 * <p>
 * Each datagram is counted exactly once: {@code received = foreign + malformed + not new + unknownSymbol + superseded +
 * suspectDropped + untaken + published}, where not new means one of the tracker's {@code duplicates}, {@code tooOld},
 * {@code oldSession} and {@code implausible}. Without free capacity a datagram stays in the socket's buffer; what the
 * kernel drops when that is full is counted as {@code kernelDrops}. Nothing is allocated for a datagram while each
 * socket has one sender; see {@code docs/gateway.md}.
 * <p>
 * With two lines, both carry the same packets, and the first copy of each wins. That needs extended packets: others are
 * malformed.
 * <p>
 * The settings belong to the thread that builds the server. Use a source in one flow.
 */
public final class UdpSource implements EventSource<BboEvent>
{
    /** Default number of datagrams in one poll: some 50 microseconds of work. */
    public static final int DEFAULT_PACKETS_PER_POLL = 64;
    /** Greatest number of datagrams in one poll. */
    public static final int MAX_PACKETS_PER_POLL = 4_096;
    /** Longest payload: a datagram that is longer is malformed. It fits into an Ethernet frame of usual size. */
    public static final int MAX_PAYLOAD = 2_048;

    private final UdpLine[] lines;
    private final SequenceTracker tracker = new SequenceTracker();
    private final EpochClock clock;
    private final PaddedLong published = new PaddedLong(0);
    private final PaddedLong untaken = new PaddedLong(0);
    private final PaddedLong unknownSymbol = new PaddedLong(0);
    private final PaddedLong superseded = new PaddedLong(0);
    private final PaddedLong suspect = new PaddedLong(0);
    private final PaddedLong suspectDropped = new PaddedLong(0);
    private final PaddedLong receiveErrors = new PaddedLong(0);
    private SymbolStates symbols = new SymbolStates(SymbolStates.DEFAULT_CAPACITY);
    private boolean knownSymbolsOnly;
    private BboPacketCodec codec;
    private SuspectPolicy suspectPolicy = SuspectPolicy.DROP;
    private int packetsPerPoll = DEFAULT_PACKETS_PER_POLL;
    private long maxAgeNs;
    private int realTimePriority;
    private boolean started;
    /** Packets were lost after the last event that was published. */
    private boolean afterGap;
    /** Volatile: the polling thread writes it at its start, any thread reads it. */
    private volatile String realTimeResult = "not asked for";
    /** Volatile: the polling thread writes it, any thread reads it. */
    private volatile String lastError = "";

    private final ClaimedEvent<BboEvent> claimed = new ClaimedEvent<>();

    /**
     * A source with one line that accepts both forms of the packet.
     *
     * @param line where the packets arrive.
     */
    public UdpSource(final UdpEndpoint line)
    {
        this(SystemEpochClock.INSTANCE, PacketForm.ANY, line);
    }

    /**
     * A source with two lines, A and B, that carry the same extended packets.
     *
     * @param a where one copy of each packet arrives.
     * @param b where the other copy arrives.
     * @throws IllegalArgumentException if both have the same address and port, not 0, interface and senders.
     */
    public UdpSource(final UdpEndpoint a, final UdpEndpoint b)
    {
        this(SystemEpochClock.INSTANCE, PacketForm.EXTENDED, a, b);
    }

    UdpSource(final EpochClock clock, final PacketForm form, final UdpEndpoint... endpoints)
    {
        this.clock = clock;
        codec = new BboPacketCodec(form);
        lines = new UdpLine[endpoints.length];
        for (int i = 0; i < lines.length; i++)
        {
            lines[i] = new UdpLine(
                Objects.requireNonNull(endpoints[i], "endpoint"), MAX_PAYLOAD, endpoints.length > 1);
        }
        if (endpoints.length > 1 && endpoints[0].isSameAs(endpoints[1]))
        {
            throw new IllegalArgumentException("line B is line A: " + endpoints[1]);
        }
    }

    /**
     * Forms of the packet that are accepted; default {@link PacketForm#ANY}. Two lines need {@link
     * PacketForm#EXTENDED}.
     *
     * @param form the form.
     * @return this.
     */
    public UdpSource form(final PacketForm form)
    {
        checkNotStarted();
        if (lines.length > 1 && form != PacketForm.EXTENDED)
        {
            throw new IllegalArgumentException("two lines need packets with a sequence: EXTENDED, not " + form);
        }
        codec = new BboPacketCodec(form);
        return this;
    }

    /**
     * Accept these symbols only; the packets of others are dropped and counted. Default: all symbols.
     *
     * @param known see {@link io.millrace.gateway.Symbols}; at least one.
     * @return this.
     */
    public UdpSource knownSymbols(final long... known)
    {
        checkNotStarted();
        symbols = new SymbolStates(known.length);
        for (final long symbol : known)
        {
            symbols.add(symbol);
        }
        knownSymbolsOnly = true;
        return this;
    }

    /**
     * Greatest difference between the send time of an extended packet and the clock of this machine, in both
     * directions; an event that exceeds it is stale. Both clocks must be synchronized. Default: not checked.
     *
     * @param newMaxAgeNs 1,000,000 (1 ms, the step of the clock) to 3,600,000,000,000 (1 h).
     * @return this.
     */
    public UdpSource maxAgeNs(final long newMaxAgeNs)
    {
        checkNotStarted();
        maxAgeNs = Range.check("maxAgeNs", newMaxAgeNs, TimeUnit.MILLISECONDS.toNanos(1), TimeUnit.HOURS.toNanos(1));
        return this;
    }

    /**
     * What happens to events that are crossed, locked or stale; default {@link SuspectPolicy#DROP}.
     *
     * @param policy the policy.
     * @return this.
     */
    public UdpSource onSuspect(final SuspectPolicy policy)
    {
        checkNotStarted();
        suspectPolicy = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /**
     * Greatest number of datagrams in one poll.
     *
     * @param count 1 to 4,096; default 64.
     * @return this.
     */
    public UdpSource packetsPerPoll(final int count)
    {
        checkNotStarted();
        packetsPerPoll = Range.check("packetsPerPoll", count, 1, MAX_PACKETS_PER_POLL);
        return this;
    }

    /**
     * Raise the receiving thread to the real-time policy SCHED_FIFO at its start; see {@link RealTime}. {@link
     * #realTimeResult()} has the result: without the privilege the source runs as before.
     *
     * @param priority 1 to 99.
     * @return this.
     */
    public UdpSource realTime(final int priority)
    {
        checkNotStarted();
        realTimePriority = RealTime.checkPriority(priority);
        return this;
    }

    private void checkNotStarted()
    {
        if (started)
        {
            throw new IllegalStateException(
                "the source of " + lines[0].endpoint() + " was started before: one source, one flow");
        }
    }

    /** {@inheritDoc} Opens the sockets. */
    @Override
    public void onStart() throws IOException
    {
        checkNotStarted();
        started = true;
        try
        {
            for (final UdpLine line : lines)
            {
                line.open();
            }
        }
        catch (final IOException ex)
        {
            closeLines();
            started = false;
            throw ex;
        }
        if (realTimePriority != 0)
        {
            realTimeResult = RealTime.raiseCurrentThread(realTimePriority);
        }
    }

    /**
     * {@inheritDoc}
     * Takes at most {@link #packetsPerPoll} datagrams from each line.
     *
     * @return number of datagrams taken, also of those that were dropped.
     */
    @Override
    public int poll(final EventPublication<BboEvent> out) throws IOException
    {
        int taken = 0;
        for (final UdpLine line : lines)
        {
            taken += poll(line, out);
        }
        return taken;
    }

    private int poll(final UdpLine line, final EventPublication<BboEvent> out) throws IOException
    {
        int taken = 0;
        while (taken < packetsPerPoll && claimed.publish(out))
        {
            final BboEvent event = claimed.claim(out);
            final int length = event == null ? UdpLine.NONE : receive(line);
            if (length == UdpLine.NONE)
            {
                return taken;
            }
            final long receivedNs = System.nanoTime();
            taken++;
            if (accepts(line, length, event))
            {
                afterGap = afterGap && !event.isAfterGap();
                event.times(event.sendTimeNs(), receivedNs);
                published.addOpaque(1);
                claimed.filled();
            }
        }
        claimed.publish(out);
        return taken;
    }

    /** After an error NONE: no work, and the end of this poll, because the error may stay. */
    private int receive(final UdpLine line) throws IOException
    {
        try
        {
            return line.receive();
        }
        catch (final ClosedChannelException ex)
        {
            throw ex;
        }
        catch (final IOException ex)
        {
            // Mostly of a connected socket: the sender's machine or a firewall refused a packet from this port.
            receiveErrors.addOpaque(1);
            lastError = ex.toString();
            return UdpLine.NONE;
        }
    }

    private boolean accepts(final UdpLine line, final int length, final BboEvent event)
    {
        if (!line.isAllowed())
        {
            line.foreign.addOpaque(1);
            return false;
        }
        if (line.isTooLong(length) || codec.decode(line.view, 0, length, event) != DecodeResult.OK)
        {
            line.malformed.addOpaque(1);
            return false;
        }
        if (event.session() != 0 && !isNew(line, event))
        {
            return false;
        }
        if (knownSymbolsOnly && !symbols.contains(event.symbol()))
        {
            unknownSymbol.addOpaque(1);
            return false;
        }
        // Not an event from before the gap, or one of no sequence.
        if (afterGap && event.session() != 0 && !event.isLate())
        {
            event.flags(event.flags() | BboEvent.AFTER_GAP);
        }
        if (!symbols.onEvent(event))
        {
            superseded.addOpaque(1);
            return false;
        }
        return !isSuspect(event) || suspectPolicy == SuspectPolicy.MARK || drop();
    }

    private boolean isNew(final UdpLine line, final BboEvent event)
    {
        if (line.tracker != null)
        {
            line.tracker.onMessage(event.session(), event.sequence());
        }
        final Arrival arrival = tracker.onMessage(event.session(), event.sequence());
        if (arrival == Arrival.AFTER_GAP || arrival == Arrival.RESTART)
        {
            afterGap = true;
        }
        else if (arrival == Arrival.LATE)
        {
            event.flags(BboEvent.LATE);
        }
        if (arrival.isNew())
        {
            line.first.addOpaque(1);
        }
        return arrival.isNew();
    }

    private boolean isSuspect(final BboEvent event)
    {
        if (maxAgeNs != 0 && event.session() != 0)
        {
            final long ageNs = TimeUnit.MILLISECONDS.toNanos(clock.time()) - event.sendTimeNs();
            if (ageNs > maxAgeNs || ageNs < -maxAgeNs)
            {
                event.flags(event.flags() | BboEvent.STALE);
            }
        }
        if (event.isStale() || event.isCrossed() || event.isLocked())
        {
            suspect.addOpaque(1);
            return true;
        }
        return false;
    }

    private boolean drop()
    {
        suspectDropped.addOpaque(1);
        return false;
    }

    /** {@inheritDoc} Closes the sockets. */
    @Override
    public void onClose() throws IOException
    {
        if (claimed.release())
        {
            published.addOpaque(-1);
            untaken.addOpaque(1);
        }
        closeLines();
    }

    private void closeLines() throws IOException
    {
        for (final UdpLine line : lines)
        {
            line.close();
        }
    }

    /**
     * {@inheritDoc}
     * {@code docs/gateway.md} lists them. With two lines the counters of each have {@code A} or {@code B} at the end.
     */
    @Override
    public void addCounters(final Counters counters, final String name)
    {
        counters.add(name + ".received", "datagrams received", () -> sum(line -> line.received.getOpaque()));
        counters.add(name + ".published", "events published", published::getOpaque);
        counters.add(name + ".untaken", "packets that the flow had not taken at the close", untaken::getOpaque);
        counters.add(name + ".malformed", "datagrams that are no packet",
            () -> sum(line -> line.malformed.getOpaque()));
        counters.add(name + ".foreign", "datagrams of senders that are not allowed",
            () -> sum(line -> line.foreign.getOpaque()));
        counters.tagged().gauge(name + ".lost", "packets", "packets missing until now", tracker::lost);
        counters.add(name + ".gaps", "times that packets were missing", tracker::gaps);
        counters.add(name + ".late", "packets that came after a later one", tracker::late);
        counters.add(name + ".duplicates", "packets that were there before", tracker::duplicates);
        counters.add(name + ".tooOld", "packets from before the window", tracker::tooOld);
        counters.add(name + ".restarts", "restarts of the sender", tracker::restarts);
        counters.add(name + ".oldSession", "packets of ended sessions", tracker::oldSessionMessages);
        counters.add(name + ".implausible", "packets too far ahead", tracker::implausible);
        counters.add(name + ".unknownSymbol", "packets of symbols that are not known", unknownSymbol::getOpaque);
        counters.add(name + ".superseded", "late packets older than their symbol's last", superseded::getOpaque);
        counters.add(name + ".suspect", "quotes crossed, locked or stale", suspect::getOpaque);
        counters.add(name + ".suspectDropped", "suspect quotes dropped", suspectDropped::getOpaque);
        counters.add(name + ".receiveErrors", "errors reported instead of a datagram", receiveErrors::getOpaque);
        counters.add(name + ".kernelDrops", "datagrams dropped because the socket's buffer was full",
            () -> sum(UdpLine::kernelDrops));
        for (int i = 0; lines.length > 1 && i < lines.length; i++)
        {
            final UdpLine line = lines[i];
            final char letter = (char)('A' + i);
            counters.add(name + ".received" + letter, "datagrams of line " + letter, line.received::getOpaque);
            counters.add(name + ".first" + letter, "packets that came first on line " + letter, line.first::getOpaque);
            counters.tagged().gauge(name + ".lost" + letter, "packets", "packets missing on line " + letter,
                line.tracker::lost);
        }
    }

    private long sum(final ToLongFunction<UdpLine> value)
    {
        long sum = 0;
        for (final UdpLine line : lines)
        {
            sum += value.applyAsLong(line);
        }
        return sum;
    }

    /** @return the sequence numbers of all lines together; its counters may be read by any thread. */
    public SequenceTracker sequences()
    {
        return tracker;
    }

    /**
     * Sequence numbers of one of two lines.
     *
     * @param line 0 for A, 1 for B.
     * @return its tracker; its counters may be read by any thread.
     */
    public SequenceTracker sequences(final int line)
    {
        return lines.length == 1 ? tracker : lines[line].tracker;
    }

    /**
     * What is known of each symbol. For the polling thread, or a handler that it calls.
     *
     * @return the states.
     */
    public SymbolStates symbols()
    {
        return symbols;
    }

    /**
     * Port of a line, for an endpoint with port 0. Any thread.
     *
     * @param line 0 for A, 1 for B.
     * @return the port; 0 while the source is not open.
     */
    public int port(final int line)
    {
        return lines[line].port();
    }

    /** @return the last error that the kernel reported instead of a datagram; empty if there was none. Any thread. */
    public String lastError()
    {
        return lastError;
    }

    /** @return what {@link RealTime#raiseCurrentThread} said, or {@code not asked for}. Any thread. */
    public String realTimeResult()
    {
        return realTimeResult;
    }

    /**
     * Endpoints and sizes of the sockets' buffers as the kernel granted them. Polling thread.
     *
     * @return the text.
     * @throws IOException if a socket cannot be asked.
     */
    public String describe() throws IOException
    {
        final StringBuilder text = new StringBuilder("UDP");
        for (final UdpLine line : lines)
        {
            text.append(' ').append(line.describe());
        }
        return text.toString();
    }
}
