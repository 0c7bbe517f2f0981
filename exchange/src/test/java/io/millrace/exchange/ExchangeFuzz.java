package io.millrace.exchange;

import io.millrace.exchange.core.Answer;
import io.millrace.exchange.core.AnswerCodec;
import io.millrace.exchange.core.ExchangeCommand;
import io.millrace.exchange.core.ExchangeCommandCodec;
import io.millrace.exchange.session.RawClient;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;

import java.util.Arrays;

/**
 * Target of a fuzzer: the first byte chooses. 0: the bytes are an answer; 1: a record of the journal; otherwise a
 * stream of the binary protocol to a whole exchange, behind a logon if the byte is even. A stream must end its own
 * connection only.
 */
public final class ExchangeFuzz
{
    private static final AnswerCodec ANSWERS = new AnswerCodec();
    private static final ExchangeCommandCodec COMMANDS = new ExchangeCommandCodec();
    private static final byte[] LOGON = RawClient.logon("trader1", ExchangeRig.TOKEN + 1, 0, 0);

    private static StreamTarget target;

    private ExchangeFuzz()
    {
    }

    public static void fuzzerTestOneInput(final byte[] data)
    {
        if (data.length < 2)
        {
            return;
        }
        if (data[0] == 0)
        {
            decodeAnswer(data);
        }
        else if (data[0] == 1)
        {
            decodeCommand(data);
        }
        else
        {
            target().send(LOGON, data, 1, (data[0] & 1) == 0);
        }
    }

    private static void decodeAnswer(final byte[] data)
    {
        final Answer answer = new Answer();
        if (ANSWERS.decode(new ByteView(data), 1, data.length - 1, answer) == DecodeResult.OK)
        {
            final byte[] again = new byte[data.length];
            again[0] = data[0];
            if (ANSWERS.encode(answer, new ByteView(again), 1) != data.length - 1 || !Arrays.equals(data, again))
            {
                throw new AssertionError("an accepted answer does not come back");
            }
        }
    }

    private static void decodeCommand(final byte[] data)
    {
        final ExchangeCommand command = new ExchangeCommand();
        if (COMMANDS.decode(new ByteView(data), 1, data.length - 1, command) == DecodeResult.OK)
        {
            final byte[] again = new byte[data.length + COMMANDS.maxLengthBytes()];
            if (COMMANDS.encode(command, new ByteView(again), 1) <= 0)
            {
                throw new AssertionError("an accepted command does not come back");
            }
        }
    }

    private static StreamTarget target()
    {
        target = target == null ? new StreamTarget(ExchangeRig.sessions(), null) : target;
        return target;
    }
}
