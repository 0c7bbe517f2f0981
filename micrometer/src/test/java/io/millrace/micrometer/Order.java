package io.millrace.micrometer;

import io.millrace.pool.BasePoolAware;

/** An event of the tests. */
final class Order extends BasePoolAware
{
    long timeNs;
}
