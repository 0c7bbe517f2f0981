package io.millrace.pool;

/**
 * An event that can be stamped with content and that counts how often its hook ran.
 */
final class TestEvent extends BasePoolAware
{
    long value;
    long inverse;
    int hooks;
    RuntimeException thrownByHook;

    void fill(final long newValue)
    {
        value = newValue;
        inverse = ~newValue;
    }

    boolean isWhole(final long expected)
    {
        return value == expected && inverse == ~expected;
    }

    @Override
    protected void onRelease()
    {
        hooks++;
        // No value is whole with these two.
        value = -1;
        inverse = -1;
        if (thrownByHook != null)
        {
            final RuntimeException thrown = thrownByHook;
            thrownByHook = null;
            throw thrown;
        }
    }
}
