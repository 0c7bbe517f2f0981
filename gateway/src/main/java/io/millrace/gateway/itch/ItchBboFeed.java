package io.millrace.gateway.itch;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.feed.BboFeed;

import java.io.IOException;
import java.util.Objects;

/**
 * The changes of best bids and offers of an ITCH file, for a feeder. The recorded time is the time since midnight. Use
 * an {@link ItchBboSource} to publish them in the same process.
 */
public final class ItchBboFeed implements BboFeed
{
    private final ItchInput input;
    private final ItchBooks books;
    private final ItchHandler handler = this::isNoChange;
    private BboEvent target;
    private boolean changed;

    /**
     * A feed.
     *
     * @param input a file; the caller closes it.
     * @param books to build.
     */
    public ItchBboFeed(final ItchInput input, final ItchBooks books)
    {
        this.input = Objects.requireNonNull(input, "input");
        this.books = Objects.requireNonNull(books, "books");
    }

    private boolean isNoChange(final ItchMessage message)
    {
        changed = books.apply(message);
        if (changed)
        {
            books.copyTo(target);
            target.times(message.timeNs(), 0);
        }
        return !changed;
    }

    @Override
    public boolean next(final BboEvent into) throws IOException
    {
        target = into;
        changed = false;
        while (!changed && !input.isExhausted())
        {
            input.poll(handler, Integer.MAX_VALUE);
        }
        return changed;
    }
}
