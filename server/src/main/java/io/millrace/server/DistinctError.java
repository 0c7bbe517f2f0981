package io.millrace.server;

import java.util.List;
import java.util.Objects;

/**
 * Failures of one kind: an exception of the same class, in the same part of the server. See {@link Server#errors()}.
 */
public final class DistinctError
{
    private final String part;
    private final Class<?> type;
    private final String message;
    private final List<StackTraceElement> stack;
    private final long firstMs;
    private long lastMs;
    private long count = 1;

    DistinctError(final String part, final Throwable cause)
    {
        this.part = part;
        type = cause == null ? null : cause.getClass();
        message = cause == null ? part : part + ": " + Failures.text(cause);
        stack = cause == null ? List.of() : Failures.stack(cause);
        firstMs = System.currentTimeMillis();
        lastMs = firstMs;
    }

    DistinctError(final String message, final long count)
    {
        this(message, null);
        this.count = count;
    }

    DistinctError(final DistinctError other)
    {
        part = other.part;
        type = other.type;
        message = other.message;
        stack = other.stack;
        firstMs = other.firstMs;
        lastMs = other.lastMs;
        count = other.count;
    }

    boolean isOfKind(final String otherPart, final Class<?> otherType)
    {
        return type == otherType && Objects.equals(part, otherPart);
    }

    void countAgain()
    {
        count++;
        lastMs = System.currentTimeMillis();
    }

    /** @return what the first failure was: its part, the exception and its message. */
    public String message()
    {
        return message;
    }

    /** @return stack of the first failure's exception; empty if it had none. */
    public List<StackTraceElement> stack()
    {
        return stack;
    }

    /** @return number of failures of this kind. */
    public long count()
    {
        return count;
    }

    /** @return time of the first failure, in milliseconds since 1970; of the report, if the failure ended an agent. */
    public long firstMs()
    {
        return firstMs;
    }

    /** @return time of the last failure, in milliseconds since 1970. */
    public long lastMs()
    {
        return lastMs;
    }

    @Override
    public String toString()
    {
        return count + " times " + message + (stack.isEmpty() ? "" : " at " + stack.get(0));
    }
}
