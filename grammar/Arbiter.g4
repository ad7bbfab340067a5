// Skeleton of a grammar for the language: it parsed the six sketches with ANTLR4, 0 errors, 0 ambiguities. A starting point, not the grammar.
// Cells, directions, zones and actions are plain names here, resolved by check/.
grammar Arbiter;

file        : decl* EOF ;
decl        : 'game' STRING cite* | 'author' STRING | 'text' STRING | 'use' path | 'extends' STRING
            | 'replace' decl | 'delete' name path
            | 'option' name ':' type '=' expr cite*
            | 'players' playerDecl (',' playerDecl)* cite*
            | 'board' '{' boardItem* '}' | zone | stateBlock | piece | action | turnDecl | phase | handler | law | outcome
            | 'class' names | 'neutral' 'piece' name STRING? name* ('{' cite* pieceItem* '}')?
            | 'define' name params? '=' expr cite* | 'walk' name params? '=' walk cite* | 'effect' name params? block
            | 'setup' (name subscript?)? ('=' name subscript? ('with' name 'on' name)?)? ('to' 'move' name)? (DIAGRAM | 'fen' STRING)? cite* | 'start' name subscript? | example ;
playerDecl  : name ('facing' name)? ;
params      : '(' param (',' param)* ')' | '(' ')' ;      param : name (':' type)? ;
type        : (range | enumSet | path enumSet?) '?'? ;                                // `cell?`: a cell or none
range       : INT '..' INT ;                              enumSet : '{' expr (',' expr)* '}' ;

// ---- board -----------------------------------------------------------------------------------------------------
boardItem   : 'squares' INT NAME INT ('without' expr)? ('wrap' name)? cite*
            | 'hexes' name INT+ | 'cells' name+ | 'link' name '-' name '->' name | zone | 'place' name index? INT
            | 'ring' name name 'from' name cite* | 'facing' 'along' names cite*
            | 'deflect' ('at' turnAt (',' turnAt)* | name 'at' name) ('if' expr)? cite*
            | 'barrier' name 'between' expr 'and' expr cite* ;
turnAt      : name name '->' name ;                       names : name (',' name)* ;
zone        : 'zone' name index? '=' expr (',' expr)* cite* ;
subscript   : '[' expr (',' expr)* ']' ;
index       : '[' name ('in' type)? (',' name ('in' type)?)* ']' ;

// ---- state -----------------------------------------------------------------------------------------------------
stateBlock  : 'piece'? 'state' '{' ('brief' | 'clock')? stateVar (('brief' | 'clock')? stateVar)* '}' cite* ;
stateVar    : name index? ':' type '=' expr ;

// ---- pieces and actions ----------------------------------------------------------------------------------------
piece       : 'fixed'? 'piece' name STRING? name* ('{' cite* pieceItem* '}')? cite*
            | 'piece' 'attribute' name ':' type | 'every' 'piece' ('except' names)? '{' pieceItem* '}' ;
pieceItem   : verb ('or' verb)* walk rider* cite*                     // move or take W from Z to Z if C do {…}
            | 'promotes' 'to' name ('|' name)* 'in' postfix ('if' expr)? 'optional'? cite*
            | 'can' name args? rider* cite*                           // any other action: never a bare name
            | 'may' 'be' 'off' 'board' cite*                          // B1: an action may end with it lifted
            | name '=' walk (',' walk)* cite* ;                       // an attribute
verb        : 'move' | 'take' | 'threaten' ;
rider       : 'from' ('anywhere' | zexpr) | 'to' zexpr | 'if' expr | 'do' block ;
zexpr       : 'not'? postfix ;                            // more than a name needs parentheses
action      : 'action' name params? ('by' name ('|' name)*)? '{' step* '}' cite* ;
step        : 'choose' name '=' query cite* | 'choose' name 'in' expr cite* | 'let' name '=' (query | expr) cite*
            | 'require' expr cite* | 'do' block cite* | 'if' expr '{' step* '}' ('else' '{' step* '}')?
            | 'for' name 'in' expr '{' step* '}' cite* | 'written' expr | effect0 cite* ;
query       : walk 'from' expr 'onto' filter ('within' expr)? ;       filter : 'not'? fterm ('or' fterm)* ;
fterm       : 'empty' | 'enemy' name? | 'own' name? | 'any' 'piece' | name ;
block       : '{' cite* (effect cite*)* '}' ;
effect0     : name args ;                                   // a call: parentheses always
effect      : 'lift' postfix | 'put' postfix 'on' postfix | 'remove' 'at'? postfix | 'swap' postfix ',' postfix
            | 'set' 'up' postfix | 'goto' name | ('win' | 'lose') postfix | 'draw' | 'result' sum 'to' postfix (',' sum 'to' postfix)*
            | 'if' expr block ('else' (block | effect))? | 'for' name 'in' expr block
            | postfix ('->' postfix | 'becomes' name | 'joins' name | ('=' | '+=' | '-=') expr) | effect0 ;

// ---- walks: 'then' between steps, '|' between ways, no juxtaposition, no infix '+' ------------------------------
walk        : walkSeq ('|' walkSeq)* ;                    walkSeq : walkItem ('then' walkItem)* ;
walkItem    : walkAtom quant? ('over' overCond)? ;        quant : '*' | '+' | '?' | '{' INT ('..' INT?)? '}' ;
overCond    : fterm | '(' expr ')' ;
walkAtom    : INT | 'ahead' | 'deflect' | 'face' name | 'turn' name | '(' 'if' expr ')' | '(' walk ')' | 'betza' STRING
            | name args? subscript? ('.' name)* ;

// ---- turns -------------------------------------------------------------------------------------------------------
turnDecl    : 'turn' name? '=' turn ;
turn        : 'if' expr ':' turnElse 'otherwise' turn | turnElse ;                                  turnElse : turnOr ('else' turnOr)* ;
turnOr      : turnSeq cite* ('or' turnSeq cite*)* ;                   turnSeq  : turnAtom ('then' turnAtom)* ;
turnAtom    : 'longest' turnAtom | ('any' 'move' | name ('by' 'same')? | '(' turn ')') ('{' count '}')? ;          // `done`, `pass` are actions of the library
count       : range | INT '..' | INT | name ;
phase       : 'phase' name '{' 'player' expr 'turn' '=' turn ('after' block)? '}' ;

// ---- events, laws, ends ------------------------------------------------------------------------------------------
handler     : 'when' event ('in' names)? ('if' expr)? block cite* ;
event       : 'turn' ('begins' | 'ends') | 'no' 'legal' 'turn' | 'after' 'action'
            | subject ('moves' | 'is' 'moved' | 'is' 'captured') ('from' expr 'to' expr)? | subject ('lands' 'in' | 'enters' | 'leaves' | 'crosses') postfix ;
subject     : ('any' 'piece' | 'piece' 'at' postfix | name) ('of' name)? ;
law         : 'forbid' ('at' 'turn' 'end' | 'action' 'by' name 'when' | 'in' names)? expr cite* ;
outcome     : ('win' | 'lose') name ('at' 'once')? 'when' expr cite*
            | 'draw' ('in' names)? 'when' ('repetition' INT | expr) cite* | 'limit' 'turns' INT ;

// ---- expressions ---------------------------------------------------------------------------------------------------
expr        : rel | 'not' expr | expr 'and' expr | expr 'or' expr | <assoc=right> expr 'implies' expr    // tightest first: ANTLR4 binds earlier alternatives tighter
            | ('some' | 'every' | 'no' | 'count') name 'in' sum ':' expr
            | 'if' expr 'then' expr 'else' expr ;
rel         : sum (('==' | '!=' | '<' | '<=' | '>' | '>=') sum | 'not'? 'in' sum | 'is' 'not'? word+ | 'exists')? ;
sum         : term (('+' | '-' | '&') term)* ;
term        : ('own' | 'enemy' | 'empty' | 'royal') ('pieces' | 'cells' | name)? ('of' postfix)? ('except' names)? ('on' postfix)?
            | 'pieces' ('of' postfix)? ('except' names)? ('on' postfix)? | ('rank' | 'ranks' | 'file' | 'files') (range | name | INT)
            | postfix ('..' postfix)? ;
postfix     : atom ('.' name | subscript)* ('of' postfix)? ;
atom        : INT | STRING | call | name | '(' expr ')' | '{' (name 'in' sum ':' expr | expr (','? expr)*)? '}' ;
call        : name '(' (expr (',' expr)*)? ')' ;           // a walk in an expression: by name or call only
args        : '(' (walk (',' walk)*)? ')' ;
path        : name ('.' name)* ;                          word : name | 'empty' | 'own' | 'enemy' | 'royal' ;
// Soft keywords may be names; the hard ones (structure) may not. Piece and player names begin with a capital: no clash.
name        : NAME | 'set' | 'up' | 'start' | 'text' | 'clock' | 'same' | 'file' | 'rank' | 'turn' | 'begins' | 'ends'
            | 'count' | 'any' | 'to' | 'over' | 'walk' | 'piece' | 'zone' | 'player' | 'phase' | 'moved' | 'moves' | 'royal' | 'may' | 'be' | 'off' ;
example     : 'example' STRING cite* '{' exItem* '}' ;    exItem : 'setup' | 'perft' (range | INT) '=' INT (',' INT)*
            | 'position' ('fen' STRING | '{' (name | INT)* '}') | 'moves' ('of' name)? '=' '{' moveName* '}' | ('legal' | 'illegal') moveName ('because' cite)? ;
moveName    : name ('-' name)* ;
cite        : CITE ;

CITE    : [§@] DIGIT+ ('.' DIGIT+)* ;        INT : DIGIT+ ;
NAME    : LETTER (LETTER | DIGIT | '_')* ;   // cells too: a1, aa12 – the checker knows the board
DIAGRAM : '"""' .*? '"""' ;                  STRING : '"' ~["\r\n]* '"' ;
DOC     : '///' ~[\r\n]* -> channel(HIDDEN) ; COMMENT : '//' ~[\r\n]* -> skip ;   WS : [ \t\r\n\uFEFF]+ -> skip ;
fragment DIGIT : [0-9] ;                     fragment LETTER : [\p{L}\p{Mn}] ;
