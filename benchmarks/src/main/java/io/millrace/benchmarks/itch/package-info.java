/**
 * Speed of the gateway's ITCH 5.0: decoding next to a parser that adds lengths, and building the engine's books.
 */
package io.millrace.benchmarks.itch;
