/**
 * The feeder: sends BBO packets at a given rate, so that a gateway runs without an exchange.
 */
package io.millrace.gateway.feed;
