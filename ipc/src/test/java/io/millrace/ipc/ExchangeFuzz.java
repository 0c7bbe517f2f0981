package io.millrace.ipc;

import io.millrace.pool.ByteView;

import java.nio.ByteBuffer;

/**
 * Target of a fuzzer: the bytes are a program for a host, a guest and somebody who writes into each control field of
 * their mapped file, also between any two accesses of one of them. Nothing but the documented exceptions is thrown, no
 * access leaves the lane, each wait ends; after the guest is gone each call has ended, and the next guest is served.
 */
public final class ExchangeFuzz
{
    private static final int HOST = 0x8000_0001;
    private static final int SLOTS = 4;
    private static final int NESTED = 2;
    private static final int PAYLOAD = 64;
    private static final int LONGEST_MESSAGE = 256;
    private static final int MAX_STEPS = 200;
    /** Of one program. A wait spins for at most 2,000 at first. */
    private static final int MAX_ACCESSES = 20_000_000;
    private static final ExchangeLayout LAYOUT = new ExchangeLayout(2, SLOTS, PAYLOAD, NESTED);
    private static final int HEADER_FIELDS = 20;
    private static final int SLOT_FIELDS = 4;
    private static final int FIELDS = HEADER_FIELDS + 2 + SLOT_FIELDS * (SLOTS + NESTED);
    private static final ByteBuffer FILE = Hostile.file(LAYOUT.fileBytes);

    private final byte[] data;
    private final ByteView message = new ByteView(new byte[LONGEST_MESSAGE]);
    private final SharedMemory plain = new SharedMemory(FILE);
    private final SharedMemory memory = new Watched();
    private final PeerLink hostLink = new PeerLink(2);
    private final HostLane host =
        new HostLane(new LaneEnd(0, memory, LAYOUT, hostLink, HOST, true, 1, this::onError), LONGEST_MESSAGE);
    private PeerLink guestLink;
    private GuestLane guest;
    private int guestId;
    private int at;
    private int accesses;
    private int untilWrite;
    private int depth;
    private boolean claimed;
    private long token;
    private int answered;

    private ExchangeFuzz(final byte[] data)
    {
        this.data = data;
    }

    /**
     * Entry point of Jazzer.
     *
     * @param data any bytes.
     */
    public static void fuzzerTestOneInput(final byte[] data)
    {
        new ExchangeFuzz(data).run();
    }

    /** The file, with somebody who writes between two accesses. */
    private final class Watched extends SharedMemory
    {
        private Watched()
        {
            super(FILE);
        }

        @Override
        long get(final int offset)
        {
            beforeAccess();
            return super.get(offset);
        }

        @Override
        long getAcquire(final int offset)
        {
            beforeAccess();
            return super.getAcquire(offset);
        }

        @Override
        long getVolatile(final int offset)
        {
            beforeAccess();
            return super.getVolatile(offset);
        }

        @Override
        boolean compareAndSet(final int offset, final long expected, final long value)
        {
            beforeAccess();
            return super.compareAndSet(offset, expected, value);
        }

        @Override
        boolean compareAndSetSeen(final int offset, final long expected, final long value)
        {
            beforeAccess();
            return super.compareAndSetSeen(offset, expected, value);
        }
    }

    private void beforeAccess()
    {
        if (++accesses > MAX_ACCESSES)
        {
            throw new AssertionError("does not end");
        }
        if (untilWrite > 0 && --untilWrite == 0)
        {
            final int what = next();
            if (what < 32 && depth == 0)
            {
                serve();
            }
            else
            {
                write(what % FIELDS);
            }
            final int wait = next();
            untilWrite = wait * wait;
        }
    }

    private int next()
    {
        return at < data.length ? data[at++] & 0xFF : 0;
    }

    private static int offset(final int field)
    {
        if (field < HEADER_FIELDS)
        {
            return field * Long.BYTES;
        }
        final int ofLane = field - HEADER_FIELDS;
        return ofLane < 2 ? LAYOUT.lane(0) + ofLane * ExchangeLayout.PAIR_BYTES :
            LAYOUT.slot(0, (ofLane - 2) / SLOT_FIELDS) + (ofLane - 2) % SLOT_FIELDS * Long.BYTES;
    }

    /** Writes a hostile number into a field. */
    private void write(final int field)
    {
        final int offset = offset(field);
        final int form = next();
        final int number = next();
        final int owner = (form & 3) == 0 ? HOST : (form & 3) == 1 ? guestId : number;
        final int generation = SlotWord.generation(plain.get(offset));
        final long value = switch (form >> 2 & 7)
        {
            case 0, 1, 2 -> SlotWord.of(owner, generation, number & 7);
            case 3 -> SlotWord.of(owner, generation + (number >> 3) - 16, number & 7);
            case 4 -> Descriptor.of(form >> 5, Hostile.INTS[number % Hostile.INTS.length], number >> 6);
            case 5 -> (long)number << (form & 63);
            case 6 -> plain.get(offset) ^ 1L << (number & 63);
            default -> ((long)next() << 56 | (long)next() << 40 | (long)next() << 24 | number) * 0x0101L;
        };
        plain.put(offset, value);
    }

    private void onError(final Throwable error)
    {
        // A handler's own failure, or a nested call that found no answer.
        if (!(error instanceof ExchangeException) && !"planned".equals(error.getMessage()))
        {
            throw new AssertionError(error);
        }
    }

    private static void touch(final ByteView view, final int offset, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            view.putByte(offset + i, (byte)(view.getByte(offset + i) + 1));
        }
    }

    private int onRequest(final Request request) throws ExchangeException
    {
        if (request.length() > LONGEST_MESSAGE ||
            request.type() != MessageType.NORMAL && request.type() < MessageType.APP_START)
        {
            throw new AssertionError("type " + request.type() + ", length " + request.length());
        }
        touch(request.bytes(), request.offset(), request.length());
        touch(request.response(), request.responseOffset(), request.responseCapacity());
        depth++;
        try
        {
            switch (next() & 7)
            {
                case 0:
                    throw new IllegalArgumentException("planned");
                case 1:
                    token = request.token();
                    return token == 0 ? 0 : RequestHandler.DEFERRED;
                case 2:
                    return RequestHandler.REFUSED;
                case 3, 4:
                    touch(request.claimNested(), 0, PAYLOAD);
                    touch(request.nestedResponse(), 0, request.callNested(MessageType.APP_START, next() % 65));
                    return 0;
                default:
                    return next() % (request.responseCapacity() + 1);
            }
        }
        finally
        {
            depth--;
        }
    }

    private void onResponse(final long call, final CallStatus status, final ByteView response, final int length)
    {
        touch(response, 0, length);
        answered += status == CallStatus.OK ? 1 : 0;
    }

    /** The control thread of the host, when its guest is gone; then the next guest. */
    private void attach()
    {
        hostLink.disconnect(guestId);
        for (int slot = 0; slot < SLOTS + NESTED; slot++)
        {
            final Slots slots = new Slots(memory, HOST);
            slots.clean(LAYOUT.slot(0, slot), guestId);
            if (slot >= SLOTS)
            {
                slots.clear(LAYOUT.slot(0, slot));
            }
        }
        // Nobody guesses the next one, which is random in an exchange.
        guestId = guestId * 0x9E37_79B1 + 0x7F4A_7C15;
        hostLink.connect(guestId, null);
        guestLink = new PeerLink(2);
        guest = new GuestLane(new LaneEnd(0, memory, LAYOUT, guestLink, guestId, false, 1, this::onError), HOST,
            guestId, guestId, LONGEST_MESSAGE);
        guest.end.handler(this::onRequest);
        guestLink.connect(HOST, null);
    }

    private void serve()
    {
        // As a LaneServer, which serves while the host is attached.
        if (guestLink.peer() == HOST && guest.serve(this::onRequest, 1 + (next() & 7)) == 0)
        {
            guest.end.announceWaiting(true);
            guest.realign();
            guest.end.announceWaiting(false);
        }
    }

    private void reply()
    {
        if (guest.knows(token) && guestLink.peer() == HOST)
        {
            touch(guest.response(token), 0, PAYLOAD);
            guest.reply(token, CallStatus.values()[next() % 3], next() % (PAYLOAD + 1));
        }
    }

    private void readHeader()
    {
        try
        {
            final ExchangeLayout read = ExchangeLayout.read(memory, LAYOUT.fileBytes);
            if (read.fileBytes > LAYOUT.fileBytes)
            {
                throw new AssertionError("a file of " + read.fileBytes + " bytes");
            }
        }
        catch (final ExchangeException refused)
        {
            // As documented.
        }
    }

    private void claim()
    {
        if (!claimed)
        {
            final ByteView request = host.claim();
            claimed = request != null;
            if (claimed)
            {
                touch(request, 0, PAYLOAD);
            }
        }
    }

    private void submit()
    {
        claim();
        if (claimed)
        {
            claimed = false;
            host.submit(next() % 3 == 0 ? MessageType.HEARTBEAT : MessageType.APP_START, next() % (PAYLOAD + 1));
        }
    }

    private void call()
    {
        claim();
        if (claimed && host.inFlight() == 1)
        {
            claimed = false;
            try
            {
                touch(host.response(), 0, host.call(MessageType.NORMAL, next() % (PAYLOAD + 1)));
            }
            catch (final CallException lost)
            {
                // As documented.
            }
        }
    }

    private void stream()
    {
        if (!claimed && host.inFlight() == 0)
        {
            try
            {
                host.callStreamed(MessageType.APP_START, message, 0, next() % (LONGEST_MESSAGE + 1), message);
            }
            catch (final CallException lost)
            {
                // As documented.
            }
        }
    }

    private void step()
    {
        switch (next() % 13)
        {
            case 0, 1 -> write(next() % FIELDS);
            case 2 -> submit();
            case 3 -> call();
            case 4 -> stream();
            case 5 -> host.poll(this::onResponse, 1 + (next() & 3));
            case 6 -> host.await(this::onResponse, SLOTS);
            case 7, 8 -> serve();
            case 9 -> reply();
            case 10 -> readHeader();
            case 11 ->
            {
                host.cancel();
                claimed = false;
            }
            default ->
            {
                final int wait = next();
                untilWrite = 1 + wait * wait;
            }
        }
    }

    private void run()
    {
        for (int i = 0; i < LAYOUT.fileBytes; i += Long.BYTES)
        {
            plain.put(i, 0);
        }
        LAYOUT.write(plain, HOST, 1, 2);
        host.onNested(this::onRequest);
        attach();
        for (int i = 0; i < MAX_STEPS && at < data.length; i++)
        {
            step();
            if (hostLink.peer() == PeerLink.NOBODY || guestLink.peer() == PeerLink.NOBODY)
            {
                attach();
            }
        }
        untilWrite = 0;
        goOn();
        for (int i = LAYOUT.lane(1); i < LAYOUT.fileBytes; i += Long.BYTES)
        {
            if (plain.get(i) != 0)
            {
                throw new AssertionError("written outside of the lane: " + i);
            }
        }
    }

    /** What must be possible after anything: each call ends, and after one round of the ring each one is answered. */
    private void goOn()
    {
        at = data.length;
        host.cancel();
        claimed = false;
        attach();
        end();
        for (int i = 0; i < 3 * SLOTS; i++)
        {
            if (hostLink.peer() == PeerLink.NOBODY || guestLink.peer() == PeerLink.NOBODY)
            {
                attach();
            }
            if (host.claim() == null)
            {
                throw new AssertionError("no free slot");
            }
            host.submit(MessageType.HEARTBEAT, 0);
            serve();
            serve();
            answered = 0;
            end();
            if (i >= SLOTS && answered != 1)
            {
                throw new AssertionError("call " + i + " is not answered");
            }
        }
    }

    private void end()
    {
        for (int i = 0; i < SLOTS; i++)
        {
            host.poll(this::onResponse, SLOTS);
        }
        if (host.inFlight() != 0)
        {
            throw new AssertionError(host.inFlight() + " calls do not end");
        }
    }
}
