/**
 * The matching engine on the server: pooled commands in, pooled executions out. It uses threads, pools and flows; book,
 * risk and engine do not.
 */
package io.millrace.engine.service;
