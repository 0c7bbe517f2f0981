package io.millrace.exchange.core;

import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The kept answers of a client, against a search of each of them. */
class ClientAnswersTest
{
    private static final int WINDOW = 64;
    private static final int ANSWERS = 20_000;

    @Test
    void shouldFindTheLastAnswerToARequest()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final ClientAnswers client = new ClientAnswers(1, WINDOW);
        final Answer answer = new Answer();
        long request = 1;
        for (int i = 0; i < ANSWERS; i++)
        {
            final long searched = 1 + Math.max(0, request - random.nextInt(2 * WINDOW));
            assertEquals(search(client, searched), client.lastAnswer(searched), () -> "seed " + seed);
            request += random.nextInt(3);
            // Some have no request, some are copies for a drop copy, some belong to a request that was repeated.
            final int kind = random.nextInt(8);
            final long of = kind == 0 ? 0 : kind == 1 ? 1 + random.nextInt((int)request) : request;
            answer.to(1, kind == 2 ? 7 : 0, 0, client.next());
            answer.of(AnswerKind.ACCEPTED, (byte)0, (byte)0, (byte)0);
            answer.about(1, of, 1, 1);
            answer.at(i, 0);
            client.append(answer);
        }
    }

    private static long search(final ClientAnswers client, final long request)
    {
        final Answer answer = new Answer();
        long found = 0;
        for (long sequence = client.oldest(); sequence < client.next(); sequence++)
        {
            client.read(sequence, answer);
            found = answer.user() == 0 && answer.requestId() == request ? sequence : found;
        }
        return found;
    }
}
