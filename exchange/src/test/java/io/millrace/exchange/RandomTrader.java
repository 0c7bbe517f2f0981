package io.millrace.exchange;

import io.millrace.engine.book.Side;
import io.millrace.exchange.client.ExchangeClient;
import io.millrace.exchange.client.ExchangeListener;
import io.millrace.exchange.core.Answer;
import io.millrace.exchange.core.AnswerKind;
import io.millrace.exchange.core.ExchangeCommand;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A client that trades at random, reconnects, retries, and checks what it gets: each request is answered once and in
 * order, and no answer is missing, as far as one client can see it.
 */
final class RandomTrader implements ExchangeListener
{
    private static final int MAX_UNANSWERED = 32;
    private static final int MIDDLE = 500;

    final ExchangeClient client;
    /** Open size of each order that is open, by symbol and id. */
    final TreeMap<String, Long> open = new TreeMap<>();
    final List<String> answers = new ArrayList<>();
    private final Random random;
    private final Map<String, String> trades;
    private final String name;
    private long next;
    private long orders;
    private long answered;
    private long acknowledged;

    /** @param trades the sides of each trade that somebody has seen so far, of all clients. */
    RandomTrader(final String name, final String token, final long seed, final Map<String, String> trades)
    {
        this.name = name;
        this.trades = trades;
        random = new Random(seed);
        client = new ExchangeClient(name, token, false, 64);
    }

    /** Sends something, if not too much is without an answer. */
    void step()
    {
        if (!client.isLoggedOn() || client.unanswered() >= MAX_UNANSWERED)
        {
            return;
        }
        final int symbol = 1 + random.nextInt(2);
        final int kind = random.nextInt(100);
        final long known = orders == 0 ? 1 : Math.max(1, orders - random.nextInt(20));
        final byte side = random.nextBoolean() ? Side.BID : Side.ASK;
        final long price = MIDDLE + random.nextInt(11) - 5;
        if (kind < 60)
        {
            client.command().limit(symbol, ++orders, 0, side, price, 1 + random.nextInt(20));
        }
        else if (kind < 70)
        {
            client.command().immediate(symbol, ++orders, 0, side, price, 1 + random.nextInt(20));
        }
        else if (kind < 85)
        {
            client.command().cancel(symbol, known, 0);
        }
        else if (kind < 92)
        {
            client.command().replaceOpen(symbol, known, 0, price, 1 + random.nextInt(20));
        }
        else if (kind < 98)
        {
            client.command().replace(symbol, known, 0, price, 1 + random.nextInt(20));
        }
        else
        {
            client.cancelAll(kind == 98 ? symbol : ExchangeCommand.ALL_SYMBOLS);
            return;
        }
        if (client.send() == 0)
        {
            throw new AssertionError(name + " cannot send");
        }
    }

    /** Sends and receives. Returns false when the connection is broken. */
    boolean poll()
    {
        try
        {
            client.poll(this);
            return client.isLoggedOn();
        }
        catch (final IOException ex)
        {
            final String message = String.valueOf(ex.getMessage());
            if (message.startsWith("answer ") || message.startsWith("the exchange sent"))
            {
                throw new AssertionError(name + ": " + message, ex);
            }
            client.close();
            return false;
        }
    }

    /** Returns false when nobody listens. */
    boolean connect(final InetSocketAddress address)
    {
        try
        {
            client.connect(address);
            return true;
        }
        catch (final IOException ex)
        {
            client.close();
            return false;
        }
    }

    @Override
    public void onAnswer(final Answer answer)
    {
        if (answer.isRepeated())
        {
            return;
        }
        answers.add(ExchangeRig.text(answer));
        if (answer.requestId() > 0)
        {
            check(answer.requestId() == answered || answer.requestId() == answered + 1,
                "request " + answered + " is followed by " + answer);
            answered = answer.requestId();
        }
        final String order = answer.symbol() + "/" + answer.orderId();
        switch (answer.kind())
        {
            case AnswerKind.ACCEPTED:
                check(answer.requestId() > acknowledged, "accepted twice: " + answer);
                acknowledged = answer.requestId();
                check(open.put(order, answer.openSize()) == null, "is open already: " + answer);
                break;
            case AnswerKind.EXECUTED:
                onTrade(answer);
                reduce(order, answer);
                break;
            case AnswerKind.CANCELLED:
                reduce(order, answer);
                break;
            case AnswerKind.REPLACED:
                check(open.put(order, answer.openSize()) != null, "was not open: " + answer);
                break;
            default:
                break;
        }
    }

    @Override
    public void onLogon(final long firstAnswer, final long nextAnswer, final long lastRequest)
    {
        next = nextAnswer;
    }

    /** Whether it has all answers that were there at its logon. */
    boolean isUpToDate()
    {
        return client.isLoggedOn() && client.lastAnswer() >= next - 1;
    }

    private void reduce(final String order, final Answer answer)
    {
        final Long before = open.get(order);
        check(before != null && before - answer.size() == answer.openSize(), "had " + before + " open: " + answer);
        check(answer.isCompleted() == (answer.openSize() == 0), "completed: " + answer);
        if (answer.isCompleted())
        {
            open.remove(order);
        }
        else
        {
            open.put(order, answer.openSize());
        }
    }

    private void onTrade(final Answer answer)
    {
        final String trade = answer.symbol() + "/" + answer.tradeId();
        final String side = answer.symbol() + " " + answer.size() + "@" + answer.price() + " ";
        final String mine = side + answer.side() + (answer.isMaker() ? "m" : "t");
        final String other = trades.get(trade);
        if (other == null)
        {
            trades.put(trade, mine);
        }
        else
        {
            check(other.equals(side + (answer.side() ^ 1) + (answer.isMaker() ? "t" : "m")), other + " and " + mine);
            trades.put(trade, "both");
        }
    }

    private void check(final boolean condition, final String what)
    {
        if (!condition)
        {
            throw new AssertionError(name + ": " + what);
        }
    }
}
