package io.millrace.benchmarks.harness;

import java.io.Serializable;

/**
 * A round and the result of its events, which the report checks.
 *
 * @param round  the round.
 * @param answer the result.
 * @param <A>    kind of result.
 */
public record AnsweredRound<A extends Serializable>(Round round, A answer) implements Serializable
{
}
