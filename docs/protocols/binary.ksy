meta:
  id: millrace_binary
  title: Binary protocol of order entry, version 1
  endian: le
doc: See docs/protocols/binary.md. A stream of records in one direction.
seq:
  - id: records
    type: record
    repeat: eos
types:
  record:
    seq:
      - id: type
        type: u1
        enum: record_type
      - id: body
        type:
          switch-on: type
          cases:
            'record_type::new_order': new_order
            'record_type::cancel_order': cancel_order
            'record_type::execution_report': execution_report
            'record_type::command': command
            'record_type::symbol': symbol
            'record_type::request': request
            'record_type::symbol_request': symbol_request
            'record_type::logon': logon
            'record_type::logout': short_record
            'record_type::heartbeat': short_record
            'record_type::logon_accepted': logon_accepted
            'record_type::session_end': short_record
            'record_type::answer': answer
            'record_type::cancel_all': cancel_all
  new_order:
    seq:
      - {id: side, type: u1}
      - {id: reserved, size: 6}
      - {id: order_id, type: u8}
      - {id: trader_id, type: u8}
      - {id: price, type: s8}
      - {id: quantity, type: u8}
  cancel_order:
    seq:
      - {id: reserved, size: 7}
      - {id: order_id, type: u8}
  execution_report:
    seq:
      - {id: reserved, size: 3}
      - {id: sequence, type: u4}
      - {id: taker, type: u8}
      - {id: maker, type: u8}
      - {id: price, type: s8}
      - {id: quantity, type: u8}
      - {id: ingest_time_ns, type: u8}
  command:
    seq:
      - {id: version, type: u1}
      - {id: command, type: u1}
      - {id: order_type, type: u1}
      - {id: side, type: u1}
      - {id: self_trade_policy, type: u1}
      - {id: reserved, type: u2}
      - {id: symbol, type: s4}
      - {id: reserved_2, type: u4}
      - {id: order_id, type: s8}
      - {id: user, type: s8}
      - {id: price, type: s8}
      - {id: size, type: s8}
      - {id: reserve_price, type: s8}
      - {id: parameter, type: s8}
      - {id: time_ns, type: s8}
  symbol:
    seq:
      - {id: version, type: u1}
      - {id: command, type: u1}
      - {id: symbol_type, type: u1}
      - {id: has_terms, type: u1}
      - {id: reserved, size: 3}
      - {id: symbol, type: s4}
      - {id: order_capacity, type: s4}
      - {id: window_ticks, type: s4}
      - {id: reserved_2, type: u4}
      - {id: min_price, type: s8}
      - {id: max_price, type: s8}
      - {id: min_ask_price, type: s8}
      - {id: time_ns, type: s8}
      - {id: base_currency, type: s4}
      - {id: quote_currency, type: s4}
      - {id: base_scale, type: s8}
      - {id: quote_scale, type: s8}
      - {id: taker_fee, type: s8}
      - {id: maker_fee, type: s8}
      - {id: margin_buy, type: s8}
      - {id: margin_sell, type: s8}
      - {id: max_position, type: s8}
  request:
    seq:
      - {id: command, type: command}
      - {id: request_id, type: s8}
  symbol_request:
    seq:
      - {id: symbol, type: symbol}
      - {id: request_id, type: s8}
      - {id: max_order_size, type: s8}
      - {id: band_ticks, type: s8}
      - {id: band_reference, type: s8}
      - {id: band_policy, type: u1}
      - {id: reserved, size: 7}
  logon:
    seq:
      - {id: version, type: u1}
      - {id: flags, type: u1}
      - {id: reserved, size: 5}
      - {id: name, type: strz, size: 16, encoding: ASCII}
      - {id: token, type: strz, size: 32, encoding: ASCII}
      - {id: first_answer, type: s8}
      - {id: symbol, type: s4}
      - {id: reserved_2, size: 12}
  short_record:
    seq:
      - {id: version, type: u1}
      - {id: reason, type: u1}
      - {id: reserved, size: 5}
  logon_accepted:
    seq:
      - {id: version, type: u1}
      - {id: reserved, size: 6}
      - {id: first, type: s8}
      - {id: next, type: s8}
      - {id: oldest, type: s8}
      - {id: last_request, type: s8}
      - {id: window, type: s8}
      - {id: user, type: s4}
      - {id: reserved_2, type: u4}
  cancel_all:
    seq:
      - {id: version, type: u1}
      - {id: reserved, type: u2}
      - {id: symbol, type: s4}
      - {id: request_id, type: s8}
  answer:
    seq:
      - {id: version, type: u1}
      - {id: kind, type: u1, enum: answer_kind}
      - {id: side, type: u1}
      - {id: reason, type: u1}
      - {id: flags, type: u1}
      - {id: reserved, type: u2}
      - {id: symbol, type: s4}
      - {id: user, type: u4}
      - {id: sequence, type: s8}
      - {id: request_id, type: s8}
      - {id: order_id, type: s8}
      - {id: reference, type: s8}
      - {id: price, type: s8}
      - {id: size, type: s8}
      - {id: open_size, type: s8}
      - {id: other_reference, type: s8}
      - {id: trade_id, type: s8}
      - {id: record, type: s8}
      - {id: time_ns, type: s8}
enums:
  record_type:
    1: new_order
    2: cancel_order
    3: execution_report
    4: command
    5: symbol
    7: request
    8: symbol_request
    16: logon
    17: logout
    18: heartbeat
    20: logon_accepted
    21: session_end
    22: answer
    23: cancel_all
  answer_kind:
    1: accepted
    2: rejected
    3: executed
    4: cancelled
    5: replaced
    6: triggered
    7: done
    8: level
    9: order
    10: row
