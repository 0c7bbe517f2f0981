package io.millrace.server.pipeline;

/** Checks order and content; throws on request. */
final class OrderChecker implements EventHandler<NumberedEvent>
{
    /** Made beforehand and without a stack trace, like the errors of a careful handler. */
    static final class Rejection extends Exception
    {
        private static final long serialVersionUID = 1L;

        Rejection()
        {
            super("rejected", null, false, false);
        }
    }

    private static final Rejection REJECTION = new Rejection();

    long count;
    long last = -1;
    boolean rejects;

    @Override
    public void onEvent(final NumberedEvent event, final long sequence, final boolean endOfBatch) throws Exception
    {
        event.requireWhole(event.number);
        if (event.number <= last)
        {
            throw new AssertionError(event.number + " behind " + last);
        }
        last = event.number;
        count++;
        if (rejects)
        {
            throw REJECTION;
        }
    }
}
