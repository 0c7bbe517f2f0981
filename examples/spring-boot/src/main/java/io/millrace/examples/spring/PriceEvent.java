package io.millrace.examples.spring;

import io.millrace.pool.BasePoolAware;

/** A price of a symbol, or with 0 cents only a question for the highest one. */
final class PriceEvent extends BasePoolAware
{
    int symbol;
    long cents;
    /** Of the request that waits for an answer; NONE if none does. */
    long correlation;
}
