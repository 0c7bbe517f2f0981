package io.millrace.testing;

import io.millrace.pool.BasePoolAware;

/** An event of the tests. */
final class Price extends BasePoolAware
{
    long value;
}
