/**
 * The deterministic part of an exchange: sessions, their numbered answers, and the matching engine, behind one journal.
 */
package io.millrace.exchange.core;
